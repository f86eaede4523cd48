package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Reads rows of the table {@code state}. {@link StateWriter} writes them. */
interface StateRepository extends Repository<StateEntity, StateEntity.Id> {

	String OF_SCOPES = "select * from state where scope_key = any(:scopeKeys) order by scope_key, key";

	@Query(nativeQuery = true, value = OF_SCOPES)
	List<StateEntity> find(UUID[] scopeKeys);

}

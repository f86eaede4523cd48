package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Reads rows of the table {@code state}. {@link StateWriter} writes them. */
interface StateRepository extends Repository<StateEntity, StateEntity.Id> {

	String OF_SCOPES = "select * from state where scope_key = any(:scopeKeys) order by scope_key, key";

	/**
	 * The size of a value. A long one is not unpacked to be measured: it is taken for as
	 * long as it could be, since compression shortens it to a 255th at most.
	 */
	String SIZE = """
			case when pg_column_compression(value) is null then pg_column_size(value)
			  when pg_column_size(value) < 8192 then octet_length(cast(value as text))
			  else pg_column_size(value) * 255 end""";

	@Query(nativeQuery = true,
			value = "select coalesce(sum(" + SIZE + "), 0) from state where scope_key = any(:scopeKeys)")
	long size(UUID[] scopeKeys);

	@Query(nativeQuery = true, value = OF_SCOPES)
	List<StateEntity> find(UUID[] scopeKeys);

}

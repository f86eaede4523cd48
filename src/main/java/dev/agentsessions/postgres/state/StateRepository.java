package dev.agentsessions.postgres.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.state.Scopes.StateByScope;
import dev.agentsessions.session.StateOwner;

/** Reads rows of the table {@code state}. {@link StateWriter} writes them. */
public interface StateRepository extends Repository<StateEntity, StateEntity.StateKey> {

	String OF_SCOPES = "select scope_key, key, value from state where scope_key = any(:scopeKeys) order by scope_key, key";

	/**
	 * The size of a value in bytes. A long compressed value is not decompressed: its size
	 * is estimated as the largest possible one, because compression shortens a value to a
	 * 255th at most.
	 */
	String SIZE = """
			case when pg_column_compression(value) is null then pg_column_size(value)
			  when pg_column_size(value) < 8192 then octet_length(cast(value as text))
			  else pg_column_size(value) * 255 end""";

	/** Returns about how many bytes the values of one scope have. */
	@Query(nativeQuery = true, value = "select coalesce(sum(" + SIZE + "), 0) from state where scope_key = :scopeKey")
	long size(UUID scopeKey);

	@Query(nativeQuery = true, value = OF_SCOPES)
	List<StateEntity> find(UUID[] scopeKeys);

	@Query(nativeQuery = true,
			value = "select scope_key, key, value from state where scope_key = :scopeKey order by key")
	List<StateEntity> find(UUID scopeKey);

	/** Reads the keys and values of one owner. */
	default Map<String, JsonText> read(StateOwner owner) {
		Map<String, JsonText> state = new LinkedHashMap<>();
		find(ScopeKey.of(owner)).forEach((row) -> state.put(row.key(), row.value()));
		return state;
	}

	/** Reads the keys and values of some scopes. */
	default StateByScope read(Scopes scopes) {
		StateByScope found = new StateByScope();
		find(scopes.stream().toArray(UUID[]::new)).forEach((row) -> found.add(row.scopeKey(), row.key(), row.value()));
		return found;
	}

}

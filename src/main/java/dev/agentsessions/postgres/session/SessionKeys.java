package dev.agentsessions.postgres.session;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DistributionProperties;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * Finds the key of the session that has a name. A session keeps its key for its whole
 * life, and no other session ever gets it; so a key is remembered, and one that is out of
 * date is noticed: the statement that uses it finds no session.
 */
@Component
public class SessionKeys {

	/** What a remembered key takes of the heap, in bytes. */
	private static final int BYTES_OF_KEY = 160;

	private static final int SHARE_OF_HEAP = 32;

	private final Cache<UUID, UUID> remembered = Caffeine.newBuilder()
		.maximumSize(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / BYTES_OF_KEY)
		.build();

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final String lookUp;

	SessionKeys(Transactions transactions, JdbcTemplate jdbc, DistributionProperties properties) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.lookUp = "select session_key from " + (properties.distributed() ? "session_names" : "sessions")
				+ " where name_key = ?";
	}

	/**
	 * Does something with the session that has a name.
	 * @param work gets the key; throws {@link SessionException.NotFound} if there is no
	 * session with it any more. Then it has changed nothing, and is called again if
	 * another session has the name by now
	 * @throws SessionException.NotFound if there is no such session
	 */
	public <T> T with(SessionKey session, Function<UUID, T> work) {
		UUID nameKey = ScopeKey.of(session);
		UUID known = this.remembered.getIfPresent(nameKey);
		if (known != null) {
			try {
				return work.apply(known);
			}
			catch (SessionException.NotFound ex) {
				// The name may belong to another session by now.
			}
		}
		UUID found = lookUp(nameKey).filter((key) -> !key.equals(known)).orElseThrow(SessionException.NotFound::new);
		this.remembered.put(nameKey, found);
		return work.apply(found);
	}

	/**
	 * Reads something of the session that has a name.
	 * @param read gets the key, and finds nothing if there is no session with it any more
	 * @return empty if there is no such session, or nothing of the kind in it
	 */
	public <T> Optional<T> read(SessionKey session, Function<UUID, Optional<T>> read) {
		try {
			return Optional.of(with(session, (key) -> read.apply(key).orElseThrow(SessionException.NotFound::new)));
		}
		catch (SessionException.NotFound ex) {
			return Optional.empty();
		}
	}

	/** Remembers the key of a session that this replica has just created. */
	public void remember(SessionKey session, UUID key) {
		this.remembered.put(ScopeKey.of(session), key);
	}

	private Optional<UUID> lookUp(UUID nameKey) {
		return this.transactions.statement(() -> this.jdbc.queryForList(this.lookUp, UUID.class, nameKey))
			.stream()
			.findFirst();
	}

}

package dev.agentsessions.postgres.session;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;

/**
 * Finds the key of the session with a name. A session has one key for its whole life, and
 * no other session ever gets this key. So keys are cached: a statement that uses an
 * outdated key finds no session, and then the key is looked up again.
 */
@Component
public class SessionKeys {

	/** Memory of a cached key, in bytes. */
	private static final int KEY_BYTES = 160;

	private final Cache<UUID, UUID> cached = Caffeine.newBuilder()
		.maximumSize(HeapShare.SESSION_KEYS.bytes() / KEY_BYTES)
		.build();

	private final Transactions transactions;

	private final SessionNames names;

	SessionKeys(Transactions transactions, SessionNames names) {
		this.transactions = transactions;
		this.names = names;
	}

	/**
	 * Runs work with the key of the session with a name.
	 * @param work gets the key. It throws {@link SessionException.NotFound} if no session
	 * has this key any more, and then it must have changed nothing. It is called again if
	 * another session has the name by then
	 * @throws SessionException.NotFound if there is no such session
	 */
	public <T> T with(SessionName session, Function<UUID, T> work) {
		UUID nameKey = ScopeKey.of(session);
		UUID known = this.cached.getIfPresent(nameKey);
		if (known != null) {
			try {
				return work.apply(known);
			}
			catch (SessionException.NotFound ex) {
				// Another session may have the name by now.
			}
		}
		UUID found = this.transactions.statement(() -> this.names.find(nameKey))
			.filter((key) -> !key.equals(known))
			.orElseThrow(SessionException.NotFound::new);
		this.cached.put(nameKey, found);
		return work.apply(found);
	}

	/**
	 * Reads from the session with a name.
	 * @param read gets the key; returns empty if no session has this key any more
	 * @return the result of {@code read}; empty if there is no such session
	 */
	public <T> Optional<T> read(SessionName session, Function<UUID, Optional<T>> read) {
		try {
			return Optional.of(with(session, (key) -> read.apply(key).orElseThrow(SessionException.NotFound::new)));
		}
		catch (SessionException.NotFound ex) {
			return Optional.empty();
		}
	}

	/** Caches the key of a session that this replica has just created. */
	public void remember(SessionName session, UUID key) {
		this.cached.put(ScopeKey.of(session), key);
	}

}

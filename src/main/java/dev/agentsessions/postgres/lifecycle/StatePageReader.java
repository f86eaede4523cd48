package dev.agentsessions.postgres.lifecycle;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.state.StateByScope;

/**
 * The state of the sessions of a list. It is read while the caller goes through the list,
 * as many scopes at once as a bounded amount of memory can hold.
 */
final class StatePageReader {

	/** Maximum number of scopes in a batch. */
	private static final int MAX_BATCH_SCOPES = 3 * SessionPageReader.MAX_BATCH_SESSIONS;

	/** About the size of a batch in bytes; a single scope may have more. */
	private static final long MAX_BATCH_BYTES = 1 << 22;

	/**
	 * Maximum number of keys of a batch; a single scope may have more. The values of as
	 * many keys that lie in their rows have a few times {@link #MAX_BATCH_BYTES}, so a
	 * batch reads at most about this number of times what it returns.
	 */
	private static final long MAX_BATCH_KEYS = 5000;

	private final ScopesStatement statement;

	private final boolean bounded;

	private final StateByScope found = new StateByScope();

	/** The scopes that were not read yet, in the order of the list. */
	private final Set<UUID> unread;

	StatePageReader(ScopesStatement statement, boolean bounded, List<SessionEntity> sessions) {
		this.statement = statement;
		this.bounded = bounded;
		this.unread = sessions.stream()
			.flatMap((session) -> session.scopes().stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/**
	 * Returns the state that an agent sees in a session. Call it in the order of the
	 * list.
	 */
	Map<String, JsonText> merged(SessionEntity session) {
		while (this.unread.contains(session.sessionKey())) {
			readBatch();
		}
		return this.found.merged(session.scopes());
	}

	private void readBatch() {
		List<UUID> wanted = this.unread.stream().limit(MAX_BATCH_SCOPES).toList();
		if (!readBatch(wanted, MAX_BATCH_BYTES, MAX_BATCH_KEYS)) {
			if (this.bounded) {
				throw new SessionPageReader.TooLargeException();
			}
			readBatch(wanted.subList(0, 1), Long.MAX_VALUE, Long.MAX_VALUE);
		}
	}

	/**
	 * Returns whether any scope was read; {@code false} if the first one is too large.
	 */
	private boolean readBatch(List<UUID> wanted, long maxBytes, long maxKeys) {
		int scopesRead = this.statement.read(wanted, maxBytes, maxKeys, this.found);
		wanted.subList(0, scopesRead).forEach(this.unread::remove);
		return scopesRead > 0;
	}

}

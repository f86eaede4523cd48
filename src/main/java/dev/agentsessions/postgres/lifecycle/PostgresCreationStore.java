package dev.agentsessions.postgres.lifecycle;

import java.util.Optional;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.CreationStore;
import dev.agentsessions.session.lifecycle.CreationStore.CreationId;

/** Compares the ids of creations that are in the rows of sessions. */
@Component
class PostgresCreationStore implements CreationStore {

	private final SessionKeys keys;

	private final Transactions transactions;

	private final SessionRepository sessions;

	PostgresCreationStore(SessionKeys keys, Transactions transactions, SessionRepository sessions) {
		this.keys = keys;
		this.transactions = transactions;
		this.sessions = sessions;
	}

	@Override
	public Optional<UUID> find(SessionName name, CreationId creation) {
		Optional<UUID> found = this.keys.read(name,
				(key) -> this.transactions.statement(() -> this.sessions.findCreation(key))
					.filter((stored) -> creation.isOf(new CreationId(stored), name.sessionId()))
					.map((stored) -> key));
		if (found.isPresent()) {
			this.transactions.confirmReads();
		}
		return found;
	}

}

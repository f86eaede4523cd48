package dev.agentsessions.postgres.context;

import java.time.Instant;
import java.util.BitSet;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionVersion;

/** Finds out which events of a history a model sees, before any of them is read. */
@Component
class ContextSeqFinder {

	private final Transactions transactions;

	private final ContextViews views;

	private final ContextEventsStatement statement;

	ContextSeqFinder(Transactions transactions, ContextViews views, ContextEventsStatement statement) {
		this.transactions = transactions;
		this.views = views;
		this.statement = statement;
	}

	/**
	 * The events that a model sees of a version of a session.
	 * @param marked whether the session has events that rewind or compact
	 */
	BitSet left(UUID sessionKey, SessionVersion version, boolean marked) {
		return marked ? this.views.at(sessionKey, version.revision()).left() : SeqRange.between(1, version.revision());
	}

	/** Those of them that are in a window. */
	BitSet left(UUID sessionKey, SessionVersion version, boolean marked, EventWindow window) {
		BitSet left = left(sessionKey, version, marked);
		Instant since = window.since();
		if (window.recent() == null) {
			return left;
		}
		BitSet stamped = (since == null) ? left
				: this.transactions.statement(() -> this.statement.since(sessionKey, left, since));
		return SeqRange.preceding(stamped, stamped.length(), window.recent());
	}

}

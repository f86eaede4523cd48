package dev.agentsessions.postgres.context;

import java.time.Instant;
import java.util.BitSet;
import java.util.UUID;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionVersion;

/** Finds the seqs of the events that a model sees, before any event is read. */
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
	 * Returns the events that a model sees of a version of a session.
	 * @param edited whether the session has events that rewind or compact
	 */
	BitSet visible(UUID sessionKey, SessionVersion version, boolean edited) {
		return edited ? this.views.at(sessionKey, version.revision()).visible()
				: SeqRange.between(1, version.revision());
	}

	/** Returns the events of a window that a model sees. */
	BitSet visible(UUID sessionKey, SessionVersion version, boolean edited, EventWindow window) {
		BitSet visible = visible(sessionKey, version, edited);
		Instant since = window.since();
		if (window.recent() == null) {
			return visible;
		}
		BitSet stamped = (since == null) ? visible
				: this.transactions.statement(() -> this.statement.since(sessionKey, visible, since));
		return SeqRange.preceding(stamped, stamped.length(), window.recent());
	}

}

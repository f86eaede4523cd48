package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.BitSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventWindow;

/** Finds out which events of a history a model sees, before any of them is read. */
@Component
class ContextSeqs {

	/** So many events are likely to make one piece. */
	private static final int SHORT = 500;

	private final Transactions transactions;

	private final ContextResolver resolver;

	private final NotesCatchUp catchUp;

	private final ContextEventsStatement statement;

	ContextSeqs(Transactions transactions, ContextResolver resolver, NotesCatchUp catchUp,
			ContextEventsStatement statement) {
		this.transactions = transactions;
		this.resolver = resolver;
		this.catchUp = catchUp;
		this.statement = statement;
	}

	/**
	 * What is noted of the events up to one.
	 * @param noted up to which event it is noted what events mean, {@code null} if none
	 * of them means anything
	 */
	ContextState noted(UUID sessionKey, long revision, @Nullable Long noted) {
		if (noted == null) {
			return ContextState.WHOLE;
		}
		if (noted < revision) {
			this.catchUp.catchUp(sessionKey);
		}
		return this.transactions.statement(() -> this.resolver.find(sessionKey, revision));
	}

	/**
	 * The events that a model mostly sees, among them all behind the last summary: then
	 * they need not be looked at before they are read. None if they are many.
	 */
	BitSet expected(UUID sessionKey, ContextState state, long revision, EventWindow window) {
		if (state.isComplete(revision)) {
			return new BitSet();
		}
		BitSet expected = newest(sessionKey, state.left(revision), window);
		BitSet behind = SeqRun.between(state.upTo() + 1, revision);
		return (expected.cardinality() <= SHORT && SeqRun.without(behind, expected).isEmpty()) ? expected
				: new BitSet();
	}

	/** The events that a model sees. */
	BitSet left(UUID sessionKey, ContextState state, long revision, EventWindow window) {
		return newest(sessionKey, withTail(sessionKey, state, revision).left(revision), window);
	}

	/** The events that a model sees of all up to one. */
	BitSet left(UUID sessionKey, long revision, @Nullable Long noted) {
		return withTail(sessionKey, noted(sessionKey, revision, noted), revision).left(revision);
	}

	private ContextState withTail(UUID sessionKey, ContextState state, long revision) {
		return state.isComplete(revision) ? state
				: this.transactions.statement(() -> this.resolver.withTail(sessionKey, state, revision));
	}

	private BitSet newest(UUID sessionKey, BitSet left, EventWindow window) {
		if (window.recent() == null) {
			return left;
		}
		Instant since = window.since();
		BitSet stamped = (since == null) ? left
				: this.transactions.statement(() -> this.statement.since(sessionKey, left, since));
		return SeqRun.preceding(stamped, stamped.length(), window.recent());
	}

}

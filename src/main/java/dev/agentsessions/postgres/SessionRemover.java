package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.BooleanSupplier;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.RemovalStatements.DeletedEvents;
import dev.agentsessions.postgres.RemovalStatements.LockedSession;
import dev.agentsessions.postgres.RemovalStatements.Which;
import dev.agentsessions.session.Erasure;
import dev.agentsessions.session.SessionException;

/**
 * Removes sessions with their events and their own state, in transactions of bounded
 * size. A small session goes whole in the first one. Of a large one, nobody finds
 * anything any more from the end of the first one on; its row goes last, so whoever comes
 * after an interruption knows what is left to do: the purge, another deletion, or a
 * creation with the same names.
 */
@Component
class SessionRemover {

	/** About a thousand small events, or some that are large, go in one transaction. */
	static final long WEIGHT_OF_PIECE = 1000L * RemovalStatements.WEIGHT_OF_EVENT;

	private final Transactions transactions;

	private final RemovalStatements statements;

	private final boolean distributed;

	SessionRemover(Transactions transactions, RemovalStatements statements, DistributionProperties properties) {
		this.transactions = transactions;
		this.statements = statements;
		this.distributed = properties.distributed();
	}

	/**
	 * Removes what there is of sessions; one after the other where each may be on another
	 * machine.
	 */
	Erasure remove(Collection<UUID> sessionKeys, Which which) {
		if (!this.distributed) {
			return remove(sessionKeys, () -> which);
		}
		return sessionKeys.stream()
			.map((sessionKey) -> remove(List.of(sessionKey), () -> which))
			.reduce(Erasure.NOTHING, Erasure::and);
	}

	/**
	 * Removes what there is of sessions.
	 * @param choice which of them, chosen before anything happens, within the first
	 * transaction
	 */
	Erasure remove(Collection<UUID> sessionKeys, Supplier<Which> choice) {
		Map<UUID, Long> all = new HashMap<>();
		sessionKeys.forEach((sessionKey) -> all.put(sessionKey, 0L));
		Step step = this.transactions.write(() -> step(all, choice.get()));
		Erasure removed = step.removed();
		while (!step.left.isEmpty()) {
			Step before = step;
			step = this.transactions.write(() -> step(before.left, before.rest));
			removed = removed.and(step.removed());
		}
		return removed;
	}

	/**
	 * Creates a session. The id of one that has expired, or was removed in part, is free
	 * once nothing is left of it.
	 * @param creation creates it in a transaction of its own
	 * @throws SessionException.AlreadyExists if there is one with these names
	 */
	<T> T makingRoom(UUID sessionKey, Supplier<T> creation) {
		try {
			return creation.get();
		}
		catch (SessionException.AlreadyExists ex) {
			remove(List.of(sessionKey), Which.GONE);
			return creation.get();
		}
	}

	/**
	 * One transaction.
	 * @param places the sessions, and behind which seq each has its first event
	 */
	private Step step(Map<UUID, Long> places, Which which) {
		Step step = new Step((which == Which.ALL) ? Which.GONE : which);
		for (LockedSession session : this.statements.lock(places.keySet(), which)) {
			long behind = places.getOrDefault(session.sessionKey(), 0L);
			if (step.weight <= 0) {
				step.leave(session, behind);
			}
			else {
				step.add(session, this.statements.deleteEvents(session.sessionKey(), behind, step.weight),
						() -> this.statements.deleteState(session.sessionKey()) & this.statements.deleteNotes(session));
			}
		}
		this.statements.deleteSessions(step.done);
		this.statements.hide(step.toHide);
		return step;
	}

	/** What a transaction does. */
	private static final class Step {

		private final List<UUID> done = new ArrayList<>();

		private final List<UUID> toHide = new ArrayList<>();

		private final Map<UUID, Long> left = new HashMap<>();

		/** Of what is left, another session of the same name is no part. */
		private final Which rest;

		private long weight = WEIGHT_OF_PIECE;

		private long events;

		Step(Which rest) {
			this.rest = rest;
		}

		void add(LockedSession session, DeletedEvents deleted, BooleanSupplier deleteState) {
			this.weight -= deleted.weight();
			this.events += deleted.count();
			boolean all = deleted.last() >= session.revision();
			if (all && deleteState.getAsBoolean()) {
				this.done.add(session.sessionKey());
			}
			else {
				leave(session, deleted.last());
			}
		}

		void leave(LockedSession session, long behind) {
			this.left.put(session.sessionKey(), behind);
			if (!session.marked()) {
				this.toHide.add(session.sessionKey());
			}
		}

		Erasure removed() {
			return new Erasure(this.done.size(), this.events, 0);
		}

	}

}

package dev.agentsessions.postgres.event;

import java.util.Optional;
import java.util.UUID;

import org.springframework.context.ApplicationContext;

import dev.agentsessions.postgres.Lanes.AppendProperties;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Placement;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactHistory;
import dev.agentsessions.postgres.session.SessionDetailsWriter;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Stores every append in the middle of a group of a certain size. Its neighbours are
 * appends of all kinds to other sessions: stored, stale and to no session at all.
 */
class ForcedGroups extends GroupCommit {

	private final AppendQueue queue;

	private final GroupWriter writer;

	private final int size;

	private final SessionName neighbour = Sessions.newKey();

	private final UUID neighbourKey;

	private ForcedGroups(int size, ApplicationContext context) {
		super(context.getBean(AppendProperties.class), context.getBean(AppendStatement.class),
				context.getBean(LockedRowsStatement.class), context.getBean(Lanes.class),
				context.getBean(AppendMetrics.class));
		this.queue = new AppendQueue(context.getBean(Lanes.class).groups(), Long.MAX_VALUE);
		this.writer = new GroupWriter(this.queue, new BlockedAppends(), size, context.getBean(AppendStatement.class),
				context.getBean(LockedRowsStatement.class), context.getBean(Lanes.class),
				context.getBean(AppendMetrics.class));
		this.size = size;
		this.neighbourKey = Stores.of(context).create(Sessions.empty(this.neighbour)).sessionKey();
	}

	/** A store of the program whose appends are all stored in groups of this size. */
	static Stores store(int size, ApplicationContext context) {
		Appender appender = new Appender(context.getBean(AppendProperties.class), context.getBean(Placement.class),
				context.getBean(SessionKeys.class), context.getBean(Transactions.class),
				new ForcedGroups(size, context), context.getBean(BatchAppender.class),
				context.getBean(ArtifactHistory.class), context.getBean(AppendStatement.class),
				context.getBean(SessionDetailsWriter.class), context.getBean(AppendDiagnosis.class),
				context.getBean(StateSizeLimit.class), context.getBean(AppendMetrics.class),
				context.getBean(ResponseHeap.class));
		return Stores.of(context).with(appender);
	}

	@Override
	Optional<AppendResult> append(QueuedAppend append) {
		for (int place = 0; place < this.size; place++) {
			this.queue.add((place == this.size / 2) ? append : neighbour(place));
		}
		storeAll();
		return append.stored().join();
	}

	private void storeAll() {
		try {
			this.writer.storeNextGroup();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private QueuedAppend neighbour(int place) {
		boolean isMissing = place % 3 == 0;
		Precondition precondition = new Precondition((place == 1) ? Long.MAX_VALUE : null, null);
		return new QueuedAppend(this.neighbour, isMissing ? UUID.randomUUID() : this.neighbourKey, new AppendRequest(
				Events.delta("{\"n\":%d,\"gone\":%s}".formatted(place, Events.REMOVED)), precondition));
	}

}

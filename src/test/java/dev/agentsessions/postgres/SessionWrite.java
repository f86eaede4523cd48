package dev.agentsessions.postgres;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.RewindRequest;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/** Every way in which something is written. */
enum SessionWrite {

	APPEND(append(event("e2", "{\"a\":2,\"c\":2,\"user:u\":2}", ""), (target) -> Precondition.NONE)),
	APPEND_REMOVING(append(event("e3", "{\"a\":%1$s,\"c\":%1$s,\"user:u\":%1$s}".formatted(Events.REMOVED), ""),
			(target) -> Precondition.NONE)),
	APPEND_AGAIN(append(event("e2", "{\"a\":2,\"c\":2,\"user:u\":2}", ""), (target) -> Precondition.NONE)),
	APPEND_OTHER(append(event("e2", "{\"a\":4}", ""), (target) -> Precondition.NONE)),
	APPEND_IF(append(event("e5", "{\"b\":5}", ""), (target) -> target.tag().withoutDetails())),
	APPEND_LARGE(append(event("e6", "{\"a\":6,\"b\":%s}".formatted(Events.REMOVED), "x".repeat(70_000)),
			(target) -> Precondition.NONE)),
	APPEND_BATCH((target) -> batch(target, Precondition.NONE)),
	APPEND_BATCH_IF((target) -> batch(target, target.tag().withoutDetails())),
	APPEND_UNDER_LEASE(append(event("e9", "{\"a\":9}", ""), Target::underLease)),
	APPEND_BATCH_UNDER_LEASE((target) -> batch(target, target.underLease())),
	ACQUIRE((target) -> acquire(target, "another")), ACQUIRE_AGAIN((target) -> acquire(target, Target.HOLDER)),
	RELEASE((target) -> {
		target.store().release(target.name(), target.lease());
		return "released";
	}), UPDATE((target) -> update(target, Precondition.NONE)), UPDATE_IF((target) -> update(target, target.tag())),
	DELETE((target) -> delete(target, Precondition.NONE)), DELETE_IF((target) -> delete(target, target.tag())),
	CREATE((target) -> {
		target.store().create(Sessions.with(target.name(), "{\"d\":1,\"user:v\":1}"));
		return "created";
	}), CREATE_LOCATABLE((target) -> {
		target.store().createLocatable(Sessions.with(target.name(), "{\"f\":1}", "{\"id\":\"e2\",\"author\":\"x\"}"));
		return "created";
	}), CREATE_LOCATABLE_OF_OTHER((target) -> {
		target.store().createLocatable(Sessions.empty(Sessions.ofUser(target.name(), "bob")));
		return "created for another user";
	}), FORK((target) -> fork(target, HistoryPoint.NEWEST, Precondition.NONE)),
	FORK_IF((target) -> fork(target, HistoryPoint.NEWEST, target.tag().withoutDetails())),
	FORK_OF_PAST((target) -> fork(target, HistoryPoint.after(0), Precondition.NONE)), FORK_INTO((target) -> {
		target.history()
			.fork(new ForkRequest(Sessions.sibling(target.name(), Target.SOURCE), HistoryPoint.after(1), target.name(),
					SessionDetails.NONE, Precondition.NONE), EventWindow.NONE);
		return "forked";
	}), REWIND((target) -> rewind(target, "r1", Precondition.NONE)),
	REWIND_UNDER_LEASE((target) -> rewind(target, "r3", target.underLease())),
	REWIND_IF((target) -> rewind(target, "r2", target.tag().withoutDetails())), CHANGE_USER_STATE((target) -> {
		target.store().changeState(target.name().user(), Map.of("u", RemovalMarker.REMOVED, "v", new JsonText("9")));
		return "changed";
	}), ERASE_USER((target) -> {
		target.store().erase(target.name().user());
		return "erased";
	}), PURGE((target) -> {
		target.purge().run();
		return "purged";
	});

	private final Function<Target, String> write;

	SessionWrite(Function<Target, String> write) {
		this.write = write;
	}

	/** Whether {@link Target#SOURCE} makes a difference. */
	boolean touchesSource() {
		return this == FORK_INTO || this == ERASE_USER;
	}

	/** Does it, and says how it went. */
	String tryOn(Target target) {
		try {
			return this.write.apply(target);
		}
		catch (SessionException ex) {
			return ex.kind().toString();
		}
	}

	private static NewEvent event(String id, String delta, String text) {
		return Events.event("{\"id\":\"%s\",\"timestamp\":1,\"author\":\"%s\",\"actions\":{\"stateDelta\":%s}}"
			.formatted(id, text, delta));
	}

	private static Function<Target, String> append(NewEvent event, Function<Target, Precondition> precondition) {
		return (target) -> {
			AppendResult result = target.store()
				.append(target.name(), new AppendRequest(event, precondition.apply(target)));
			return text(result.replayed(), result.version());
		};
	}

	private static String batch(Target target, Precondition precondition) {
		BatchAppendResult result = target.store()
			.appendAll(target.name(),
					List.of(event("e7", "{\"a\":7}", ""), event("e8", "{\"a\":%s}".formatted(Events.REMOVED), "")),
					precondition);
		return text(result.replayed(), result.version());
	}

	private static String fork(Target target, HistoryPoint point, Precondition precondition) {
		SessionName fork = Sessions.sibling(target.name(), Target.FORK);
		target.history()
			.fork(new ForkRequest(target.name(), point, fork, SessionDetails.NONE, precondition), EventWindow.NONE);
		return "forked";
	}

	private static String rewind(Target target, String eventId, Precondition precondition) {
		AppendResult result = target.history().rewind(target.name(), new RewindRequest("i1", eventId), precondition);
		return text(result.replayed(), result.version());
	}

	private static String acquire(Target target, String holder) {
		boolean exclusive = holder.equals(Target.HOLDER);
		target.store()
			.acquire(target.name(), new LeaseRequest(holder, Duration.ofMinutes(10), exclusive), Precondition.NONE);
		return "acquired";
	}

	private static String update(Target target, Precondition precondition) {
		target.store().updateDetails(target.name(), new SessionDetails("new name", null), precondition);
		return "updated";
	}

	private static String delete(Target target, Precondition precondition) {
		target.store().delete(target.name(), precondition);
		return "deleted";
	}

	private static String text(boolean replayed, SessionVersion version) {
		return (replayed ? "replayed " : "stored ") + version.revision();
	}

}

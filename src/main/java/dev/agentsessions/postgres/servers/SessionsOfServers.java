package dev.agentsessions.postgres.servers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * What {@link SessionService.Store} and {@link EventService.Store} do on several servers,
 * or in another way than on one.
 */
@Component
@OnSeveralServers
class SessionsOfServers {

	/** So that the number is not the one with which the store of a server locks an id. */
	private static final long OTHER_LOCK = -1;

	private final Servers servers;

	private final Buckets buckets;

	private final MergedAnswers answers;

	private final AppStateCopies appState;

	private final MainLocks locks;

	SessionsOfServers(Servers servers, Buckets buckets, MergedAnswers answers, AppStateCopies appState,
			MainLocks locks) {
		this.servers = servers;
		this.buckets = buckets;
		this.answers = answers;
		this.appState = appState;
		this.locks = locks;
	}

	Session create(CreateSession request) {
		return changing(request.name(), request.delta(), () -> store(request.name().user()).create(request));
	}

	/** Its id is looked up on the other servers while no other creation has it. */
	Session createLocatable(CreateSession request) {
		SessionName name = request.name();
		return this.locks.locked(ScopeKey.numberOfId(name) ^ OTHER_LOCK, (lock) -> {
			Server own = this.buckets.of(name.user());
			boolean taken = this.buckets.readOfSeveral(() -> located(name.appName(), name.sessionId())
				.anyMatch((found) -> this.buckets.of(found.user()) != own));
			if (taken) {
				throw new SessionException.AlreadyExists(name.sessionId());
			}
			return changing(name, request.delta(), () -> store(name.user()).createLocatable(request));
		});
	}

	AppendResult append(SessionName name, AppendRequest append) {
		return changing(name, append.event().delta(), () -> events(name).append(name, append));
	}

	BatchAppendResult appendAll(SessionName name, List<NewEvent> events, Precondition precondition) {
		StateDelta delta = events.stream().map(NewEvent::delta).reduce(StateDelta.EMPTY, StateDelta::then);
		return changing(name, delta, () -> events(name).appendAll(name, events, precondition));
	}

	Optional<AppendResult> appendRestoring(SessionName name, AppendRequest append, RestoredArtifacts artifacts) {
		return changing(name, append.event().delta(), () -> events(name).appendRestoring(name, append, artifacts));
	}

	private <T> T changing(SessionName name, StateDelta delta, Supplier<T> write) {
		Collection<String> keys = delta.in(StateScope.APP).keySet();
		return this.appState.changing(name.app(), keys, this.buckets.of(name.user()), write);
	}

	Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		return this.appState.changing(owner, changes.keySet(), this.buckets.of(owner),
				() -> store(owner).changeState(owner, changes));
	}

	/**
	 * A server may have rows of a user from before its bucket was moved, which do not
	 * count. Facts whose scope names the user may be in other buckets, so none of them
	 * may be copied meanwhile.
	 */
	Erasure erase(StateOwner user) {
		return this.locks.locked(ScopeKey.of(user).getLeastSignificantBits(),
				(lock) -> this.servers.ask(SessionService.Store.class, (store) -> store.erase(user))
					.get(this.servers.all().indexOf(this.buckets.of(user))));
	}

	List<SessionName> locate(String appName, String sessionId) {
		return located(appName, sessionId).limit(2).toList();
	}

	private Stream<SessionName> located(String appName, String sessionId) {
		return this.answers.all(SessionService.Store.class, (store) -> store.locate(appName, sessionId),
				(name) -> ScopeKey.of(name.user()));
	}

	List<String> appNames() {
		return this.servers.ask(SessionService.Store.class, SessionService.Store::appNames)
			.stream()
			.flatMap(List::stream)
			.distinct()
			.sorted(ScopeKey.ORDER_OF_NAMES)
			.toList();
	}

	Page<Session> list(SessionQuery query) {
		Comparator<Position> order = order(query);
		return this.answers.page(SessionService.Store.class,
				(store, last) -> store.list((last != null) ? query.after(query.position(last)) : query),
				SessionsOfServers::key, Comparator.comparing(query::position, order), query.limit());
	}

	/**
	 * A server that has not examined all of its sessions says how far it came. What
	 * others have found after that is found again for a later page.
	 */
	FoundSessions find(SessionQuery query, EventCondition condition) {
		Comparator<Position> order = order(query);
		List<Position> ends = new ArrayList<>();
		List<Found> all = this.answers.all(SessionService.Store.class, (store) -> {
			FoundSessions page = store.find(query, condition);
			Stream.ofNullable(page.next()).forEach(ends::add);
			return page.items();
		}, (item) -> key(item.session())).toList();
		@Nullable Position end = ends.stream().min(order).orElse(null);
		List<Found> found = all.stream()
			.filter((item) -> end == null || order.compare(query.position(item.session()), end) <= 0)
			.sorted(Comparator.comparing((item) -> query.position(item.session()), order))
			.toList();
		if (found.size() <= query.limit()) {
			return new FoundSessions(found, end);
		}
		return new FoundSessions(found.subList(0, query.limit()),
				query.position(found.get(query.limit() - 1).session()));
	}

	Page<UserSummary> users(UserQuery query) {
		String appName = query.app().appName();
		return this.answers.page(SessionService.Store.class,
				(store, last) -> store.users((last != null) ? query.after(last.userId()) : query),
				(user) -> ScopeKey.of(new StateOwner(appName, user.userId())),
				Comparator.comparing(UserSummary::userId, ScopeKey.orderOfUsers(appName)), query.limit());
	}

	private static UUID key(Session session) {
		return ScopeKey.of(session.name().user());
	}

	/** The order of the statements of {@code ListSessionsStatement}. */
	private static Comparator<Position> order(SessionQuery query) {
		Comparator<Position> byTime = Comparator.comparing(Position::time);
		Comparator<Position> byUser = Comparator.comparing(Position::userId,
				ScopeKey.orderOfUsers(query.owner().appName()));
		Comparator<Position> order = ((query.order() == Order.USER) ? byUser.thenComparing(byTime)
				: byTime.thenComparing(byUser))
			.thenComparing(Position::sessionId, ScopeKey.ORDER_OF_NAMES);
		return query.newestFirst() ? order.reversed() : order;
	}

	private SessionService.Store store(StateOwner owner) {
		return this.buckets.of(owner).store(SessionService.Store.class);
	}

	private EventService.Store events(SessionName name) {
		return this.buckets.of(name.user()).store(EventService.Store.class);
	}

}

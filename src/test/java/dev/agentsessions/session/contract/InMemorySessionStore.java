package dev.agentsessions.session.contract;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventKind;
import dev.agentsessions.session.event.EventMarks;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.SessionReads;
import dev.agentsessions.session.event.SessionReads.SelectedEvents;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.CreationStore;
import dev.agentsessions.session.lifecycle.CreationStore.CreationId;
import dev.agentsessions.session.lifecycle.Erasure;
import dev.agentsessions.session.lifecycle.FoundSessions;
import dev.agentsessions.session.lifecycle.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.Lease;
import dev.agentsessions.session.lifecycle.LeaseService;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.lifecycle.UserQuery;
import dev.agentsessions.session.lifecycle.UserQuery.UserSummary;
import dev.agentsessions.state.StateMaps;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/** The contract in its simplest form: maps behind one lock. */
public class InMemorySessionStore implements SessionService.Store, SessionReads, EventService.Store, LeaseService.Store,
		PendingService.Store, CreationStore {

	/** Texts in the order of their UTF-8 bytes, which is the order of characters. */
	private static final Comparator<String> TEXT = (one, other) -> Arrays
		.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

	private static final Comparator<Position> BY_USER = Comparator.comparing(Position::userId, TEXT)
		.thenComparing(Position::time)
		.thenComparing(Position::sessionId, TEXT);

	private static final Comparator<Position> BY_TIME = Comparator.comparing(Position::time)
		.thenComparing(Position::userId, TEXT)
		.thenComparing(Position::sessionId, TEXT);

	private final Map<SessionName, StoredSession> sessions = new HashMap<>();

	private final Map<StateOwner, Map<String, JsonText>> sharedState = new HashMap<>();

	@Override
	public synchronized Session create(CreateSession request) {
		if (stored(request.name()).isPresent()) {
			throw new SessionException.AlreadyExists(request.name().sessionId());
		}
		StoredSession session = new StoredSession(request);
		this.sessions.put(request.name(), session);
		change(session, request.state());
		request.events().forEach((event) -> store(session, event));
		return read(session, EventWindow.ALL);
	}

	@Override
	public synchronized Optional<UUID> find(SessionName name, CreationId creation) {
		return stored(name)
			.filter((session) -> session.creation != null && creation.isOf(session.creation, name.sessionId()))
			.map((session) -> session.sessionKey);
	}

	@Override
	public synchronized Optional<Session> find(SessionName name, EventWindow window) {
		return stored(name).map((session) -> read(session, window));
	}

	@Override
	public synchronized List<SessionName> locate(String appName, String sessionId) {
		return this.sessions.values()
			.stream()
			.filter(StoredSession::isLive)
			.map((session) -> session.name)
			.filter((name) -> name.appName().equals(appName) && name.sessionId().equals(sessionId))
			.limit(2)
			.toList();
	}

	@Override
	public synchronized Page<Session> list(SessionQuery query) {
		Comparator<Position> ascending = (query.order() == Order.USER) ? BY_USER : BY_TIME;
		Comparator<Position> order = query.newestFirst() ? ascending.reversed() : ascending;
		Position behind = place(query);
		List<Session> found = this.sessions.values()
			.stream()
			.filter((session) -> matches(session, query))
			.map((session) -> read(session, EventWindow.NONE))
			.filter((session) -> behind == null || order.compare(query.position(session), behind) > 0)
			.sorted(Comparator.comparing(query::position, order))
			.limit(query.limit() + 1L)
			.toList();
		return Page.of(found, query.limit()).map((session) -> query.withState() ? session : withoutState(session));
	}

	@Override
	public synchronized FoundSessions find(SessionQuery query, EventCondition condition) {
		List<Found> found = list(query.limit(Integer.MAX_VALUE)).items()
			.stream()
			.flatMap((session) -> newest(session, condition).map((seq) -> new Found(session, seq)).stream())
			.toList();
		Page<Found> page = Page.of(found, query.limit());
		return new FoundSessions(page.items(), page.more() ? query.position(page.last().session()) : null);
	}

	private Optional<Long> newest(Session session, EventCondition condition) {
		return this.sessions.get(session.name()).events.entrySet()
			.stream()
			.filter((event) -> meets(event.getKey(), event.getValue(), condition))
			.map((event) -> event.getKey().seq())
			.max(Comparator.naturalOrder());
	}

	private static boolean meets(Event event, NewEvent sent, EventCondition condition) {
		return (condition.from() == null || !event.commitTime().isBefore(condition.from()))
				&& (condition.until() == null || !event.commitTime().isAfter(condition.until()))
				&& (!condition.error() || (sent.kind() & EventKind.ERROR) != 0)
				&& equalsIfGiven(condition.author(), sent.author()) && condition.meetsTool(event.body());
	}

	@Override
	public synchronized UUID updateDetails(SessionName name, SessionDetails change, Precondition precondition) {
		StoredSession session = stored(name).orElseThrow(SessionException.NotFound::new);
		check(session, precondition);
		session.update(change);
		return session.version().sessionKey();
	}

	@Override
	public synchronized Session createLocatable(CreateSession request) {
		if (!locate(request.name().appName(), request.name().sessionId()).isEmpty()) {
			throw new SessionException.AlreadyExists(request.name().sessionId());
		}
		return create(request);
	}

	@Override
	public synchronized boolean delete(SessionName name, Precondition precondition) {
		stored(name).ifPresent((session) -> check(session, precondition));
		return this.sessions.remove(name) != null;
	}

	@Override
	public synchronized Erasure erase(StateOwner user) {
		List<StoredSession> all = this.sessions.values()
			.stream()
			.filter((session) -> session.name.user().equals(user))
			.toList();
		all.forEach((session) -> this.sessions.remove(session.name));
		Map<String, JsonText> shared = this.sharedState.remove(user);
		return new Erasure(all.size(), all.stream().mapToLong(StoredSession::revision).sum(),
				(shared != null) ? shared.size() : 0);
	}

	@Override
	public synchronized AppendResult append(SessionName name, AppendRequest append) {
		StoredSession session = stored(name).orElseThrow(SessionException.NotFound::new);
		Optional<Event> sameId = session.event(append.event().id());
		if (sameId.isPresent()) {
			append.event().checkIsSameAs(sameId.get());
			return AppendResult.replayed(sameId.get(), session.version());
		}
		checkAppend(session, append.precondition());
		if (!append.details().equals(SessionDetails.NONE)) {
			session.update(append.details());
		}
		return store(session, append.event());
	}

	/** It has no artifacts. */
	@Override
	public Optional<AppendResult> appendRestoring(SessionName name, AppendRequest append, RestoredArtifacts artifacts) {
		try {
			return Optional.of(append(name, append));
		}
		catch (SessionException.Stale ex) {
			return Optional.empty();
		}
	}

	@Override
	public synchronized BatchAppendResult appendAll(SessionName name, List<NewEvent> events,
			Precondition precondition) {
		StoredSession session = stored(name).orElseThrow(SessionException.NotFound::new);
		Map<NewEvent, AppendResult> results = new HashMap<>();
		events.forEach((event) -> session.event(event.id()).ifPresent((known) -> {
			event.checkIsSameAs(known);
			results.put(event, AppendResult.replayed(known, session.version()));
		}));
		if (results.size() < events.size()) {
			checkAppend(session, precondition);
		}
		events.forEach((event) -> results.computeIfAbsent(event, (unknown) -> store(session, unknown)));
		return BatchAppendResult.of(events.stream().map(results::get).toList());
	}

	@Override
	public synchronized Lease acquire(SessionName name, LeaseRequest request, Precondition precondition) {
		StoredSession session = stored(name).orElseThrow(SessionException.NotFound::new);
		Lease lease = session.lease.acquired(request, precondition.lease(), now());
		check(session, precondition.under(null));
		session.lease = lease;
		return lease;
	}

	@Override
	public synchronized void release(SessionName name, long number) {
		StoredSession session = stored(name).orElseThrow(SessionException.NotFound::new);
		session.lease = session.lease.released(number);
	}

	@Override
	public synchronized Optional<EventPage> events(SessionName name, EventQuery query) {
		return stored(name).filter((session) -> session.isOf(query.sessionKey()))
			.map((session) -> session.page(session.events(query), query.limit()));
	}

	@Override
	public synchronized Optional<EventPage> timeline(SessionName name, TimelineQuery query) {
		return stored(name).filter((session) -> session.isOf(query.sessionKey()))
			.map((session) -> session.page(session.timeline(query), query.limit()));
	}

	@Override
	public synchronized Optional<Page<PendingCall>> list(PendingQuery query) {
		if (query.session() != null) {
			return stored(query.session()).map((session) -> Page.of(pending(session.name), query.limit()));
		}
		List<PendingCall> all = this.sessions.values()
			.stream()
			.filter(StoredSession::isLive)
			.filter((session) -> session.name.appName().equals(query.app().appName()))
			.flatMap((session) -> pending(session.name).stream())
			.sorted(Comparator.comparing(PendingCall::since))
			.filter((call) -> query.after() == null || call.since().isAfter(query.after().since()))
			.toList();
		return Optional.of(Page.of(all, query.limit()));
	}

	private List<PendingCall> pending(SessionName name) {
		return stored(name).stream()
			.flatMap((session) -> ContextRules.waiting(List.copyOf(session.events.keySet()))
				.stream()
				.map((waiting) -> pending(name, session.sessionKey, waiting.getKey(), waiting.getValue())))
			.toList();
	}

	private static PendingCall pending(SessionName name, UUID sessionKey, Event event, String id) {
		EventMarks.OpenCall call = EventMarks.of(event.body())
			.opened()
			.stream()
			.filter((open) -> open.id().equals(id))
			.findFirst()
			.orElseThrow();
		return new PendingCall(name, sessionKey, event.id(), event.seq(), event.commitTime(), id, call.name(),
				call.args());
	}

	@Override
	public synchronized Optional<Event> event(SessionName name, String eventId) {
		return stored(name).flatMap((session) -> session.event(eventId));
	}

	@Override
	public synchronized Optional<SelectedEvents> events(SessionName name, List<String> ids) {
		return stored(name).map((session) -> new SelectedEvents(
				new EventStream(ids.stream().flatMap((id) -> session.event(id).stream()).toList()),
				ids.stream().filter((id) -> session.event(id).isEmpty()).toList()));
	}

	@Override
	public synchronized Map<String, JsonText> state(StateOwner owner) {
		return this.sharedState.getOrDefault(owner, Map.of());
	}

	@Override
	public synchronized Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		this.sharedState.put(owner, StateMaps.apply(state(owner), changes));
		return state(owner);
	}

	@Override
	public synchronized List<String> appNames() {
		return this.sessions.keySet().stream().map(SessionName::appName).distinct().sorted(TEXT).toList();
	}

	@Override
	public synchronized Page<UserSummary> users(UserQuery query) {
		Map<String, List<StoredSession>> byUser = this.sessions.values()
			.stream()
			.filter(StoredSession::isLive)
			.filter((session) -> session.name.appName().equals(query.app().appName()))
			.filter((session) -> query.after() == null || TEXT.compare(session.name.userId(), query.after()) > 0)
			.collect(Collectors.groupingBy((session) -> session.name.userId(), () -> new TreeMap<>(TEXT),
					Collectors.toList()));
		return Page.of(byUser.entrySet()
			.stream()
			.map((user) -> UserSummary.of(user.getKey(), newest(user.getValue()), user.getValue().size()))
			.limit(query.limit() + 1L)
			.toList(), query.limit());
	}

	private static Instant newest(List<StoredSession> sessions) {
		return Collections.max(sessions.stream().map((session) -> session.lastUpdateTime).toList());
	}

	private static void checkAppend(StoredSession session, Precondition precondition) {
		if (precondition.lease() == null) {
			session.lease.checkOpen(now());
		}
		check(session, precondition);
	}

	private static void check(StoredSession session, Precondition precondition) {
		if (precondition.lease() != null) {
			session.lease.check(precondition.lease(), now());
		}
		if (!session.meets(precondition)) {
			throw new SessionException.Stale(precondition, session.version(), session.seen(precondition));
		}
	}

	private Optional<StoredSession> stored(SessionName name) {
		return Optional.ofNullable(this.sessions.get(name)).filter(StoredSession::isLive);
	}

	private AppendResult store(StoredSession session, NewEvent event) {
		change(session, event.delta());
		session.add(event);
		return AppendResult.stored(event, session.version());
	}

	private void change(StoredSession session, StateDelta delta) {
		changeState(session.name.app(), delta.in(StateScope.APP));
		changeState(session.name.user(), delta.in(StateScope.USER));
		session.state = StateMaps.apply(session.state, delta.in(StateScope.SESSION));
	}

	private Session read(StoredSession session, EventWindow window) {
		Map<String, JsonText> state = StateMaps.merged(session.state,
				Map.of(StateScope.APP, state(session.name.app()), StateScope.USER, state(session.name.user())));
		EventQuery newest = EventQuery.of(true, Integer.MAX_VALUE)
			.between(window.fromSeq() - 1, Long.MAX_VALUE)
			.filtered(EventFilter.since(window.since()))
			.withView(window.view());
		int recent = (window.recent() != null) ? window.recent() : Integer.MAX_VALUE;
		List<Event> events = new ArrayList<>(session.events(newest).limit(recent).toList());
		Collections.reverse(events);
		return new Session(session.name, state, new EventStream(events), session.version(), session.createTime,
				session.details);
	}

	/** In the list of a user, all are his. */
	private static @Nullable Position place(SessionQuery query) {
		Position behind = query.after();
		return (behind != null && query.owner().userId() != null)
				? new Position(query.owner().userId(), behind.time(), behind.sessionId()) : behind;
	}

	private static boolean matches(StoredSession session, SessionQuery query) {
		Filter filter = query.filter();
		return session.isLive() && session.name.appName().equals(query.owner().appName())
				&& (!filter.waiting() || session.waits()) && equalsIfGiven(filter.sessionId(), session.name.sessionId())
				&& (filter.prefix() == null || session.name.sessionId().startsWith(filter.prefix())
						|| String.valueOf(session.details.displayName()).startsWith(filter.prefix()))
				&& equalsIfGiven(query.owner().userId(), session.name.userId())
				&& equalsIfGiven(filter.displayName(), session.details.displayName())
				&& session.labels().entrySet().containsAll(filter.labels().entrySet()) && (filter.evaluations()
						|| Filter.EVALUATION_PREFIXES.stream().noneMatch(session.name.sessionId()::startsWith));
	}

	private static Session withoutState(Session session) {
		return new Session(session.name(), Map.of(), session.events(), session.version(), session.createTime(),
				session.details());
	}

	private static boolean equalsIfGiven(@Nullable String wanted, @Nullable String actual) {
		return wanted == null || wanted.equals(actual);
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MICROS);
	}

	/** What is kept of a session. */
	private static final class StoredSession {

		private final SessionName name;

		private final @Nullable CreationId creation;

		private final UUID sessionKey = UUID.randomUUID();

		private final Instant createTime = now();

		private final Map<Event, NewEvent> events = new LinkedHashMap<>();

		private Instant lastUpdateTime = this.createTime;

		private Map<String, JsonText> state = Map.of();

		private SessionDetails details;

		private int detailsRevision;

		private Lease lease = Lease.NONE;

		StoredSession(CreateSession request) {
			this.name = request.name();
			this.creation = request.creation();
			this.details = SessionDetails.NONE.with(request.details());
		}

		SessionVersion version() {
			return new SessionVersion(revision(), this.sessionKey, this.lastUpdateTime, this.detailsRevision);
		}

		void update(SessionDetails change) {
			this.details = this.details.with(change);
			this.detailsRevision++;
		}

		long revision() {
			return this.events.size();
		}

		Map<String, String> labels() {
			return Objects.requireNonNullElse(this.details.labels(), Map.of());
		}

		void add(NewEvent sent) {
			Instant next = this.lastUpdateTime.plus(1, ChronoUnit.MICROS);
			this.lastUpdateTime = Collections.max(List.of(now(), next));
			this.events.put(new Event(revision() + 1, this.lastUpdateTime, sent.id(), sent.body()), sent);
		}

		Optional<Event> event(String id) {
			return this.events.keySet().stream().filter((event) -> event.id().equals(id)).findFirst();
		}

		Stream<Event> events(EventQuery query) {
			Comparator<Event> order = Comparator.comparing(Event::seq);
			List<Event> all = List.copyOf(this.events.keySet());
			return ((query.view() == HistoryView.CONTEXT) ? ContextRules.left(all) : all).stream()
				.filter(matches(query))
				.sorted(query.newestFirst() ? order.reversed() : order);
		}

		boolean isOf(@Nullable UUID meant) {
			return meant == null || meant.equals(this.sessionKey);
		}

		EventPage page(Stream<Event> events, int limit) {
			return new EventPage(this.sessionKey, Page.of(events.limit(limit + 1L).toList(), limit));
		}

		Stream<Event> timeline(TimelineQuery query) {
			Comparator<TimelineQuery.EventPosition> ascending = Comparator.comparing(TimelineQuery.EventPosition::time)
				.thenComparing((position) -> position.event().seq());
			Comparator<TimelineQuery.EventPosition> order = query.newestFirst() ? ascending.reversed() : ascending;
			TimelineQuery.EventPosition behind = query.after();
			return this.events.keySet()
				.stream()
				.filter((event) -> query.from() == null || !timeOf(event).isBefore(query.from()))
				.filter((event) -> query.until() == null || !timeOf(event).isAfter(query.until()))
				.filter((event) -> behind == null || order.compare(position(event), behind) > 0)
				.sorted(Comparator.comparing(this::position, order));
		}

		private TimelineQuery.EventPosition position(Event event) {
			return new TimelineQuery.EventPosition(timeOf(event), EventPoint.after(this.sessionKey, event));
		}

		private Instant timeOf(Event event) {
			return this.events.get(event).time();
		}

		boolean waits() {
			return !ContextRules.waiting(List.copyOf(this.events.keySet())).isEmpty();
		}

		boolean isLive() {
			return this.details.expireTime() == null || this.details.expireTime().isAfter(Instant.now());
		}

		private Predicate<Event> matches(EventQuery query) {
			return (event) -> {
				NewEvent sent = this.events.get(event);
				return event.seq() > query.afterSeq() && event.seq() < query.beforeSeq()
						&& (query.filter().since() == null || !sent.time().isBefore(query.filter().since()))
						&& equalsIfGiven(query.filter().author(), sent.author())
						&& equalsIfGiven(query.filter().invocationId(), sent.invocationId());
			};
		}

		boolean meets(Precondition precondition) {
			return precondition.isSatisfiedBy(version());
		}

		long seen(Precondition precondition) {
			if (!precondition.appliesTo(version())) {
				return 0;
			}
			Instant time = precondition.lastUpdateTime();
			if (precondition.revision() != null) {
				long seen = Math.max(0, Math.min(precondition.revision(), revision()));
				return (time == null || this.events.keySet()
					.stream()
					.anyMatch((event) -> event.seq() == seen && event.commitTime().equals(time))) ? seen : 0;
			}
			if (time == null) {
				return revision();
			}
			return this.events.keySet().stream().filter((event) -> !event.commitTime().isAfter(time)).count();
		}

	}

}

package dev.agentsessions.postgres.servers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery.PendingPosition;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.FailureService.Store.FailedEvent;
import dev.agentsessions.session.report.FailureService.Store.Newest;
import dev.agentsessions.session.report.FailureService.Store.Slice;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.session.report.UsageService.Store.End;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;

/** Pending calls, failures and usage of the users of all servers. */
@Component
@OnSeveralServers
class ReportsOfServers {

	private static final Comparator<PendingCall> OLDEST_FIRST = Comparator.comparing(PendingCall::since)
		.thenComparing(PendingCall::sessionKey, ScopeKey.ORDER);

	/** Between a server and a session in a position; no id contains it. */
	private static final String SEPARATOR = "/";

	private final Servers servers;

	private final Buckets buckets;

	private final MergedAnswers answers;

	ReportsOfServers(Servers servers, Buckets buckets, MergedAnswers answers) {
		this.servers = servers;
		this.buckets = buckets;
		this.answers = answers;
	}

	Optional<Page<PendingCall>> list(PendingQuery query) {
		return Optional.of(
				this.answers
					.page(PendingService.Store.class,
							(store, last) -> store.list((last != null) ? query.after(PendingPosition.of(last)) : query)
								.orElseThrow(),
							(call) -> ScopeKey.of(call.session().user()), OLDEST_FIRST, query.limit()));
	}

	/** Reads sessions of the same server together, in the order of the list. */
	List<Slice> read(List<Slice> sessions, EventCondition condition, Consumer<FailedEvent> events) {
		int from = 0;
		while (from < sessions.size()) {
			Server server = of(sessions.get(from).session());
			int to = from + 1;
			while (to < sessions.size() && of(sessions.get(to).session()) == server) {
				to++;
			}
			List<Slice> left = server.store(FailureService.Store.class)
				.read(sessions.subList(from, to), condition, events);
			if (!left.isEmpty()) {
				List<Slice> all = new ArrayList<>(left);
				all.addAll(sessions.subList(to, sessions.size()));
				return all;
			}
			from = to;
		}
		return List.of();
	}

	List<Newest> newest(List<Slice> sessions) {
		Map<Server, List<Slice>> byServer = new LinkedHashMap<>();
		sessions
			.forEach((slice) -> byServer.computeIfAbsent(of(slice.session()), (key) -> new ArrayList<>()).add(slice));
		return byServer.entrySet()
			.stream()
			.flatMap((each) -> each.getKey().store(FailureService.Store.class).newest(each.getValue()).stream())
			.toList();
	}

	/** Reads one server after the other. A position begins with the server. */
	Optional<End> read(UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> events) {
		List<Server> all = this.servers.all();
		UsagePosition after = query.after();
		int first = (after != null) ? all.indexOf(serverOf(after)) : 0;
		long sessions = 0;
		for (Server server : all.subList(first, all.size())) {
			if (isFull.getAsBoolean()) {
				return Optional.of(new End(position(server, new UsagePosition("", ScopeKey.FIRST, 0)), sessions));
			}
			End end = server.store(UsageService.Store.class).read(onServer(query, server, after), isFull, (event) -> {
				if (this.buckets.of(new StateOwner(query.owner().appName(), event.userId())) == server) {
					events.accept(event);
				}
			}).orElseThrow();
			sessions += end.sessions();
			if (end.position() != null) {
				return Optional.of(new End(position(server, end.position()), sessions));
			}
		}
		return Optional.of(new End(null, sessions));
	}

	/** A page token may be older than the settings. */
	private Server serverOf(UsagePosition position) {
		String name = position.sessionId().split(SEPARATOR)[0];
		if (!position.sessionId().contains(SEPARATOR) || !this.servers.has(name)) {
			throw new SessionException.InvalidArgument("pageToken", "is from before the servers were changed");
		}
		return this.servers.named(name);
	}

	private static UsagePosition position(Server server, UsagePosition position) {
		return new UsagePosition(server.name() + SEPARATOR + position.sessionId(), position.sessionKey(),
				position.seq());
	}

	/** Returns the query with the position on a server, if it is one of this server. */
	private static UsageQuery onServer(UsageQuery query, Server server, @Nullable UsagePosition after) {
		String begin = server.name() + SEPARATOR;
		UsagePosition position = (after != null && after.sessionId().startsWith(begin))
				? new UsagePosition(after.sessionId().substring(begin.length()), after.sessionKey(), after.seq())
				: null;
		return new UsageQuery(query.owner(), null, query.by(), query.from(), query.until(), position, query.timed());
	}

	private Server of(SessionName session) {
		return this.buckets.of(session.user());
	}

}

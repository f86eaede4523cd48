package dev.agentsessions.postgres.servers;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.search.FactLocator.FactDirectory;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.StoreHealth;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.lifecycle.Creations;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.HistoryService.Store.ForkPlan;
import dev.agentsessions.session.lifecycle.LeaseService;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.session.transfer.ArtifactTransferStore;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ExportedSession;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.watch.WatchService;

/**
 * Implements a port of the store by the stores of all servers. A call goes to the server
 * of the user that the first of its arguments names. Methods that concern no single user,
 * or more than one server, are those of an object beside it.
 */
final class StoreRouter implements InvocationHandler {

	/** The key of the user, or of the scope of facts, that an argument names. */
	private static final Map<Class<?>, Function<Object, UUID>> KEYS = Map.ofEntries(
			key(SessionName.class, (name) -> ScopeKey.of(name.user())), key(StateOwner.class, ScopeKey::of),
			key(MemoryScope.class, ScopeKey::of), key(FactQuery.class, (query) -> ScopeKey.of(query.scope())),
			key(SearchQuery.class, (query) -> ScopeKey.of(query.scope())),
			key(ArtifactName.class, (name) -> ScopeKey.of(name.user())),
			key(ArtifactVersion.class, (version) -> ScopeKey.of(version.name().user())),
			key(TransferredArtifact.class, (artifact) -> ScopeKey.of(artifact.version().name().user())),
			key(ExportedSession.class, (session) -> ScopeKey.of(session.name().user())),
			key(ImportedSession.class, (session) -> ScopeKey.of(session.name().user())),
			key(Session.class, (session) -> ScopeKey.of(session.name().user())),
			key(ForkRequest.class, (fork) -> ScopeKey.of(fork.source().user())),
			key(ForkPlan.class, (fork) -> ScopeKey.of(fork.source().user())));

	private final Class<?> port;

	private final Servers servers;

	private final Object ofServers;

	/** The methods of the port that the object has. */
	private final Map<Method, Method> ofSeveral;

	private StoreRouter(Class<?> port, Servers servers, Object ofServers) {
		this.port = port;
		this.servers = servers;
		this.ofServers = ofServers;
		this.ofSeveral = new HashMap<>();
		for (Method method : port.getMethods()) {
			Optional<Method> own = sameMethod(ofServers.getClass(), method);
			own.ifPresent((found) -> this.ofSeveral.put(method, found));
			if (own.isEmpty() && Stream.of(method.getParameterTypes()).noneMatch(KEYS::containsKey)) {
				throw new IllegalArgumentException("No argument names the server of " + method);
			}
		}
	}

	/**
	 * Returns a port over all servers, each of whose methods names a user.
	 * @throws IllegalArgumentException if one does not
	 */
	static <S> S of(Class<S> port, Servers servers) {
		return of(port, servers, new Object());
	}

	/**
	 * Returns a port over all servers.
	 * @param ofServers has the methods of the port that concern no single user, or more
	 * than one server
	 * @throws IllegalArgumentException if another method names no user
	 */
	static <S> S of(Class<S> port, Servers servers, Object ofServers) {
		return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] { port },
				new StoreRouter(port, servers, ofServers)));
	}

	private static Optional<Method> sameMethod(Class<?> type, Method method) {
		return Stream.of(type.getDeclaredMethods())
			.filter((own) -> own.getName().equals(method.getName())
					&& Arrays.equals(own.getParameterTypes(), method.getParameterTypes()))
			.findFirst();
	}

	/** Returns whether a bean is a port over all servers. */
	static boolean isRouter(Object bean) {
		return Proxy.isProxyClass(bean.getClass()) && Proxy.getInvocationHandler(bean) instanceof StoreRouter;
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		if (method.getDeclaringClass() == Object.class) {
			return method.invoke(this, arguments);
		}
		Method own = this.ofSeveral.get(method);
		try {
			return (own != null) ? own.invoke(this.ofServers, arguments) : method.invoke(store(arguments), arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private Object store(Object @Nullable [] arguments) {
		return this.servers.of(keyOfFirst(Objects.requireNonNull(arguments))).store(this.port);
	}

	private static UUID keyOfFirst(Object[] arguments) {
		for (Object argument : arguments) {
			Function<Object, UUID> key = (argument != null) ? KEYS.get(argument.getClass()) : null;
			if (key != null) {
				return key.apply(argument);
			}
		}
		throw new IllegalArgumentException("No argument names a user");
	}

	private static <A> Map.Entry<Class<?>, Function<Object, UUID>> key(Class<A> type, Function<A, UUID> key) {
		return Map.entry(type, (argument) -> key.apply(type.cast(argument)));
	}

	/**
	 * The ports of the store over all servers. They come before those of the main server,
	 * which has besides what belongs to no app: secrets, and cookies that are signed out.
	 */
	@Configuration(proxyBeanMethods = false)
	@OnSeveralServers
	static class PortsOfServers {

		private final Servers servers;

		PortsOfServers(Servers servers) {
			this.servers = servers;
		}

		/** The metrics of further servers have their names as the tag {@code server}. */
		@Bean
		static MeterRegistryCustomizer<MeterRegistry> serverOfMetrics() {
			return (registry) -> registry.config().commonTags(Servers.TAG, ServersProperties.MAIN);
		}

		@Bean
		@Primary
		SessionService.Store sessionsOfAll(SessionsOfServers sessions) {
			return StoreRouter.of(SessionService.Store.class, this.servers, sessions);
		}

		@Bean
		@Primary
		EventService.Store eventsOfAll(SessionsOfServers sessions) {
			return StoreRouter.of(EventService.Store.class, this.servers, sessions);
		}

		@Bean
		@Primary
		SessionReads readsOfAll() {
			return StoreRouter.of(SessionReads.class, this.servers);
		}

		@Bean
		@Primary
		Creations.Store creationsOfAll() {
			return StoreRouter.of(Creations.Store.class, this.servers);
		}

		@Bean
		@Primary
		LeaseService.Store leasesOfAll() {
			return StoreRouter.of(LeaseService.Store.class, this.servers);
		}

		@Bean
		@Primary
		ArtifactService.Store artifactsOfAll() {
			return StoreRouter.of(ArtifactService.Store.class, this.servers);
		}

		@Bean
		@Primary
		ArtifactTransferStore artifactTransfersOfAll() {
			return StoreRouter.of(ArtifactTransferStore.class, this.servers);
		}

		@Bean
		@Primary
		PendingService.Store pendingOfAll(ReportsOfServers reports) {
			return StoreRouter.of(PendingService.Store.class, this.servers, reports);
		}

		@Bean
		@Primary
		FailureService.Store failuresOfAll(ReportsOfServers reports) {
			return StoreRouter.of(FailureService.Store.class, this.servers, reports);
		}

		@Bean
		@Primary
		UsageService.Store usageOfAll(ReportsOfServers reports) {
			return StoreRouter.of(UsageService.Store.class, this.servers, reports);
		}

		@Bean
		@Primary
		FactService.Store factsOfAll(MemoryOfServers memory) {
			return StoreRouter.of(FactService.Store.class, this.servers, memory);
		}

		@Bean
		@Primary
		FactDirectory factDirectoryOfAll(MemoryOfServers memory) {
			return StoreRouter.of(FactDirectory.class, this.servers, memory);
		}

		@Bean
		@Primary
		SearchService.Store searchOfAll(MemoryOfServers memory) {
			return StoreRouter.of(SearchService.Store.class, this.servers, memory);
		}

		@Bean
		@Primary
		HistoryService.Store historiesOfAll(HistoriesOfServers histories) {
			return StoreRouter.of(HistoryService.Store.class, this.servers, histories);
		}

		@Bean
		@Primary
		TransferService.Store transfersOfAll(HistoriesOfServers histories) {
			return StoreRouter.of(TransferService.Store.class, this.servers, histories);
		}

		@Bean
		@Primary
		WatchService.Store watchesOfAll(HistoriesOfServers histories) {
			return StoreRouter.of(WatchService.Store.class, this.servers, histories);
		}

		@Bean
		@Primary
		StoreHealth healthOfAll(HistoriesOfServers histories) {
			return StoreRouter.of(StoreHealth.class, this.servers, histories);
		}

	}

}

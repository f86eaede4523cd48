package dev.agentsessions.postgres.servers;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.agentsessions.postgres.DatabaseConfiguration;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.Buckets.Call;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.search.FactLocator.FactDirectory;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.StoreHealth;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.event.EventService.SessionReads.SelectedEvents;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.Creations;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.HistoryService.Store.ForkPlan;
import dev.agentsessions.session.lifecycle.LeaseService;
import dev.agentsessions.session.lifecycle.PastSession;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.session.transfer.ArtifactTransferStore;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ExportedSession;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.watch.WatchService;

/**
 * Implements a port of the store by the stores of all servers. A call goes to the server
 * of the user that the first of its arguments names, or for an app to the main server.
 * Methods that concern no single user, or more than one server, are those of an object
 * beside it. Each call is one of {@link Buckets}.
 */
final class StoreRouter implements InvocationHandler {

	/** The arguments that name one user, or are for all users of an app. */
	private static final Set<Class<?>> QUERIES = Set.of(SessionQuery.class, PendingQuery.class, UsageQuery.class);

	/**
	 * The key of the user, or of the scope of facts, that an argument names; {@code null}
	 * if it names an app.
	 */
	private static final Map<Class<?>, Function<Object, @Nullable UUID>> KEYS = Map.ofEntries(
			key(SessionName.class, (name) -> of(name.user())), key(StateOwner.class, StoreRouter::of),
			key(MemoryScope.class, ScopeKey::of), key(FactQuery.class, (query) -> ScopeKey.of(query.scope())),
			key(SearchQuery.class, (query) -> ScopeKey.of(query.scope())),
			key(ArtifactName.class, (name) -> of(name.user())),
			key(ArtifactVersion.class, (version) -> of(version.name().user())),
			key(TransferredArtifact.class, (artifact) -> of(artifact.version().name().user())),
			key(ExportedSession.class, (session) -> of(session.name().user())),
			key(ImportedSession.class, (session) -> of(session.name().user())),
			key(Session.class, (session) -> of(session.name().user())),
			key(CreateSession.class, (session) -> of(session.name().user())),
			key(ForkRequest.class, (fork) -> of(fork.source().user())),
			key(ForkPlan.class, (fork) -> of(fork.source().user())),
			key(SessionQuery.class, (query) -> of(query.owner())),
			key(PendingQuery.class, (query) -> of((query.session() != null) ? query.session().user() : query.app())),
			key(UsageQuery.class, (query) -> of((query.session() != null) ? query.session().user() : query.owner())));

	private static final Object[] NO_ARGUMENTS = {};

	private final Class<?> port;

	private final Buckets buckets;

	private final Object ofServers;

	/** The methods of the port that the object has. */
	private final Map<Method, Method> ofSeveral = new HashMap<>();

	/** Those of them that the server of a user executes if their query names one. */
	private final Set<Method> queries = new HashSet<>();

	private StoreRouter(Class<?> port, Buckets buckets, Object ofServers) {
		this.port = port;
		this.buckets = buckets;
		this.ofServers = ofServers;
		for (Method method : port.getMethods()) {
			Optional<Method> own = sameMethod(ofServers.getClass(), method);
			own.ifPresent((found) -> this.ofSeveral.put(method, found));
			if (own.isEmpty() && Stream.of(method.getParameterTypes()).noneMatch(StoreRouter::namesAUser)) {
				throw new IllegalArgumentException("No argument names the server of " + method);
			}
			if (Stream.of(method.getParameterTypes()).anyMatch(QUERIES::contains)) {
				this.queries.add(method);
			}
		}
	}

	/**
	 * Returns a port over all servers.
	 * @param ofServers has the methods of the port that concern no single user, or more
	 * than one server
	 * @throws IllegalArgumentException if another method names no user
	 */
	static <S> S of(Class<S> port, Buckets buckets, Object ofServers) {
		return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] { port },
				new StoreRouter(port, buckets, ofServers)));
	}

	private static Optional<Method> sameMethod(Class<?> type, Method method) {
		return Stream.of(type.getDeclaredMethods())
			.filter((own) -> own.getName().equals(method.getName())
					&& Arrays.equals(own.getParameterTypes(), method.getParameterTypes()))
			.findFirst();
	}

	private static boolean namesAUser(Class<?> argument) {
		return KEYS.containsKey(argument) && !QUERIES.contains(argument);
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
		UUID key = keyOfFirst(Objects.requireNonNullElse(arguments, NO_ARGUMENTS));
		Method own = (key != null && this.queries.contains(method)) ? null : this.ofSeveral.get(method);
		Call call = this.buckets.begin(key);
		try {
			Object result = (own != null) ? own.invoke(this.ofServers, arguments)
					: method.invoke(this.buckets.of(key).store(this.port), arguments);
			return (key != null) ? routed(result, key) : result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
		finally {
			call.end();
		}
	}

	/** Lets the events of a session, which are read after the call, be read in calls. */
	private @Nullable Object routed(@Nullable Object result, UUID user) {
		if (result instanceof Optional<?> optional) {
			return optional.map((value) -> routed(value, user));
		}
		if (result instanceof PastSession past) {
			return new PastSession(routed(past.session(), user), past.sources());
		}
		if (result instanceof SelectedEvents selected) {
			return new SelectedEvents(routed(selected.events(), user), selected.missing());
		}
		return (result instanceof Session session) ? routed(session, user) : result;
	}

	private Session routed(Session session, UUID user) {
		return new Session(session.name(), session.state(), routed(session.events(), user), session.version(),
				session.createTime(), session.details(), session.forkedFrom());
	}

	private EventStream routed(EventStream events, UUID user) {
		Server server = this.buckets.of(user);
		return events.readBy((next) -> this.buckets.read(user, server, next));
	}

	private static @Nullable UUID keyOfFirst(@Nullable Object[] arguments) {
		for (Object argument : arguments) {
			Function<Object, @Nullable UUID> key = (argument != null) ? KEYS.get(argument.getClass()) : null;
			if (argument != null && key != null) {
				return key.apply(argument);
			}
		}
		return null;
	}

	private static @Nullable UUID of(StateOwner owner) {
		return (owner.userId() != null) ? ScopeKey.of(owner) : null;
	}

	private static <A> Map.Entry<Class<?>, Function<Object, @Nullable UUID>> key(Class<A> type,
			Function<A, @Nullable UUID> key) {
		return Map.entry(type, (argument) -> key.apply(type.cast(argument)));
	}

	/**
	 * The ports of the store over all servers. They come before those of the main server,
	 * which has besides what belongs to no app: secrets, and cookies that are signed out.
	 */
	@Configuration(proxyBeanMethods = false)
	@OnSeveralServers
	static class PortsOfServers implements BeanDefinitionRegistryPostProcessor {

		/**
		 * The ports, by the type of the object that has their methods for several
		 * servers. Each method of those at {@code Object} names a user.
		 */
		private static final Map<Class<?>, List<Class<?>>> PORTS = Map.of(Object.class,
				List.of(SessionReads.class, Creations.Store.class, LeaseService.Store.class, HistoryService.Store.class,
						ArtifactService.Store.class, ArtifactTransferStore.class),
				SessionsOfServers.class, List.of(SessionService.Store.class, EventService.Store.class),
				ReportsOfServers.class,
				List.of(PendingService.Store.class, FailureService.Store.class, UsageService.Store.class),
				MemoryOfServers.class, List.of(FactService.Store.class, FactDirectory.class, SearchService.Store.class),
				HistoriesOfServers.class,
				List.of(TransferService.Store.class, WatchService.Store.class, StoreHealth.class));

		/** Further servers have it as a setting. */
		@Bean
		static BeanPostProcessor nameOfConnections() {
			return DatabaseConfiguration
				.beforeStart((pool) -> pool.addDataSourceProperty("ApplicationName", Servers.APPLICATION));
		}

		/** The metrics of further servers have their names as the tag {@code server}. */
		@Bean
		static MeterRegistryCustomizer<MeterRegistry> serverOfMetrics() {
			return (registry) -> registry.config().commonTags(Servers.TAG, ServersProperties.MAIN);
		}

		@Override
		public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
			PORTS.forEach((ofServers, ports) -> ports.forEach((port) -> register(port, ofServers, registry)));
		}

		private static <S> void register(Class<S> port, Class<?> ofServers, BeanDefinitionRegistry registry) {
			BeanFactory beans = (BeanFactory) registry;
			RootBeanDefinition router = new RootBeanDefinition(port,
					() -> StoreRouter.of(port, beans.getBean(Buckets.class),
							(ofServers != Object.class) ? beans.getBean(ofServers) : new Object()));
			router.setPrimary(true);
			registry.registerBeanDefinition(port.getName() + " of all servers", router);
		}

	}

}

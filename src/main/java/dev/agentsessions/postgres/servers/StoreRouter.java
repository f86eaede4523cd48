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
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryService.Store.ForkPlan;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ExportedSession;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;

/**
 * Implements a port of the store by the stores of all servers. A call goes to the server
 * of the user that the first of its arguments names. Methods that concern no single user,
 * or more than one server, are those of an object beside it.
 */
final class StoreRouter implements InvocationHandler {

	/** The key of the user, or of the scope of facts, that an argument names. */
	private static final Map<Class<?>, Function<Object, UUID>> KEYS = Map.ofEntries(
			key(SessionName.class, (name) -> ScopeKey.of(name.user())), key(StateOwner.class, ScopeKey::of),
			key(MemoryScope.class, StoreRouter::key), key(FactQuery.class, (query) -> key(query.scope())),
			key(SearchQuery.class, (query) -> key(query.scope())),
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

	static UUID key(MemoryScope scope) {
		return scope.user()
			.map(ScopeKey::of)
			.orElseGet(() -> ScopeKey.of(scope.appName(), new TreeMap<>(scope.names())));
	}

}

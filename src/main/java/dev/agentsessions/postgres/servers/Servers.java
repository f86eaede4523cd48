package dev.agentsessions.postgres.servers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.servers.ServersProperties.NoOtherServer;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.postgres.servers.ServersProperties.ServerProperties;
import dev.agentsessions.search.Embedder;
import dev.agentsessions.search.SearchService.Analyses;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.startup.StartupException;

/**
 * The stores of all servers. A replica starts only if all of them answer.
 */
@Component
@OnSeveralServers
class Servers implements DisposableBean {

	/** What the stores of all servers share, besides settings. */
	private static final List<Class<?>> SHARED = List.of(AccessPolicy.class, Analyses.class, AuditLog.class,
			Embedder.class, ResponseHeap.class);

	/**
	 * The name of the connections of a replica that knows several servers, so that a move
	 * of buckets can refuse to work beside one that knows only one.
	 */
	static final String APPLICATION = "agent-sessions-servers";

	/** The tag of a metric that names its server. */
	static final String TAG = "server";

	private static final String PROGRAM = "dev.agentsessions.";

	private final Map<String, Server> byName = new LinkedHashMap<>();

	private final Server main;

	private final List<ConfigurableApplicationContext> started = new ArrayList<>();

	Servers(ConfigurableApplicationContext context, ServersProperties properties) {
		this.main = new Server(ServersProperties.MAIN, context);
		this.byName.put(this.main.name(), this.main);
		properties.servers()
			.forEach((name, server) -> this.byName.put(name, new Server(name, start(context, name, server))));
		except(this.main).forEach(Servers::refuseMain);
	}

	/**
	 * Refuses the main server under another name. Which one is the main server, its table
	 * {@code buckets} tells: with the names exchanged, users would seem to be gone, and
	 * new sessions would be stored on the wrong server.
	 */
	static void refuseMain(Server further) {
		if (NoOtherServer.hasBuckets(further.store(Transactions.class), further.store(JdbcTemplate.class))) {
			throw new StartupException(
					"The server '" + further.name() + "' has rows in the table 'buckets', so it is the main server.",
					"Set spring.datasource.url to the main server, and agent-sessions.servers." + further.name()
							+ ".url to another one.");
		}
	}

	private ApplicationContext start(ConfigurableApplicationContext parent, String name, ServerProperties server) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.setDisplayName("Server " + name);
		context.setEnvironment(environment(parent.getEnvironment(), name, server));
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		beans.setConversionService(parent.getEnvironment().getConversionService());
		SHARED.forEach((type) -> parent.getBeanProvider(type)
			.ifAvailable((bean) -> beans.registerSingleton(type.getName(), bean)));
		parent.getBeansWithAnnotation(ConfigurationProperties.class)
			.values()
			.stream()
			.filter(Servers::areOurSettings)
			.forEach((settings) -> beans.registerSingleton(settings.getClass().getName(), settings));
		MeterRegistry metrics = metrics(parent.getBean(MeterRegistry.class), name);
		beans.registerSingleton("meterRegistry", metrics);
		context.register(StoreOfServer.class);
		classesOfStore(parent.getBeanFactory()).forEach(context::register);
		this.started.add(context);
		try {
			context.refresh();
			context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(metrics));
		}
		catch (BeansException ex) {
			throw new StartupException(
					"Server '" + name + "' cannot be used: "
							+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage(),
					"Start it, or correct agent-sessions.servers." + name + ".url, username and password.");
		}
		return context;
	}

	/** Not a bean of Spring Boot whose method has the annotation, such as the pool. */
	private static boolean areOurSettings(Object bean) {
		return bean.getClass().isAnnotationPresent(ConfigurationProperties.class)
				&& bean.getClass().getName().startsWith(PROGRAM);
	}

	/** The classes of the store on the main server, except those of this package. */
	private static Stream<Class<?>> classesOfStore(ConfigurableListableBeanFactory main) {
		return Stream.of(main.getBeanDefinitionNames())
			.map(main::getMergedBeanDefinition)
			.filter((bean) -> bean.getFactoryMethodName() == null && bean.getBeanClassName() != null)
			.map((bean) -> bean.getBeanClassName())
			.filter((type) -> type.startsWith(StoreOfServer.PACKAGE)
					&& !type.startsWith(StoreOfServer.PACKAGE + ".servers"))
			.<Class<?>>map((type) -> ClassUtils.resolveClassName(type, null))
			.filter((type) -> !type.isAnnotationPresent(ConfigurationProperties.class));
	}

	private static ConfigurableEnvironment environment(ConfigurableEnvironment parent, String name,
			ServerProperties server) {
		Map<String, Object> own = new HashMap<>();
		own.put("spring.datasource.url", server.url());
		own.put("spring.datasource.hikari.pool-name", name);
		own.put("spring.datasource.hikari.data-source-properties.ApplicationName", APPLICATION);
		if (server.username() != null) {
			own.put("spring.datasource.username", server.username());
		}
		if (server.password() != null) {
			own.put("spring.datasource.password", server.password());
		}
		StandardEnvironment environment = new StandardEnvironment();
		MutablePropertySources sources = environment.getPropertySources();
		parent.getPropertySources()
			.stream()
			.filter((source) -> !source.getName().equals("configurationProperties"))
			.forEach(sources::addLast);
		sources.addFirst(new MapPropertySource("server " + name, own));
		environment.setConversionService(parent.getConversionService());
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

	/** The metrics of a server have its name as the tag {@code server}. */
	private static MeterRegistry metrics(MeterRegistry all, String name) {
		CompositeMeterRegistry metrics = new CompositeMeterRegistry();
		metrics.add(all);
		metrics.config().commonTags(TAG, name);
		return metrics;
	}

	Server main() {
		return this.main;
	}

	/** Returns all servers, the main one first. */
	List<Server> all() {
		return List.copyOf(this.byName.values());
	}

	/** Returns the servers other than one. */
	List<Server> except(Server one) {
		return all().stream().filter((server) -> server != one).toList();
	}

	/** Returns whether the settings have a server with a name. */
	boolean has(String name) {
		return this.byName.containsKey(name);
	}

	/** Asks all servers, one after the other, and returns their answers in this order. */
	<S, R> List<R> ask(Class<S> port, Function<S, R> question) {
		return all().stream().map((server) -> question.apply(server.store(port))).toList();
	}

	/**
	 * Returns the server with a name.
	 * @throws StartupException if the settings do not have it
	 */
	Server named(String name) {
		Server server = this.byName.get(name);
		if (server == null) {
			throw new StartupException("Users are on the server '" + name + "', which the settings do not name.",
					"Set agent-sessions.servers." + name + ".url.");
		}
		return server;
	}

	@Override
	public void destroy() {
		this.started.forEach(ConfigurableApplicationContext::close);
	}

	/** A server with its store. */
	static final class Server {

		private final String name;

		private final ApplicationContext beans;

		private final Map<Class<?>, Object> stores = new ConcurrentHashMap<>();

		Server(String name, ApplicationContext beans) {
			this.name = name;
			this.beans = beans;
		}

		String name() {
			return this.name;
		}

		/** Returns what implements a port on this server. */
		<S> S store(Class<S> port) {
			return port.cast(this.stores.computeIfAbsent(port,
					(type) -> this.beans.getBeanProvider(type)
						.stream()
						.filter((bean) -> !StoreRouter.isRouter(bean))
						.findFirst()
						.orElseThrow()));
		}

	}

}

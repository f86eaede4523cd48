package dev.agentsessions.web.tomcat;

import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.stereotype.Component;

/**
 * Lets only so many connections be open, and so many requests be under way, as there is
 * memory for. Requests beyond wait with their connections; connections beyond wait
 * outside. Numbers that are set are kept.
 */
@Component
class ConnectionLimits implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

	/** What is read and written next. */
	private static final int BYTES_OF_CONNECTION = 32 * 1024;

	/**
	 * Head 32 KB, that of the answer 48, start of the body 16, of the answer 32, stack
	 * 20.
	 */
	private static final int BYTES_OF_REQUEST = 148 * 1024;

	/** The share of the heap that connections may have. */
	private static final int SHARE_OF_CONNECTIONS = 6;

	/**
	 * The share of the heap that requests may have, without what is counted otherwise.
	 */
	private static final int SHARE_OF_REQUESTS = 4;

	/** Where threads are those of the system (before Java 21). */
	private static final int MOST_THREADS = 1000;

	private static final String MAX_CONNECTIONS = "server.tomcat.max-connections";

	private static final String MAX_THREADS = "server.tomcat.threads.max";

	private final Environment environment;

	ConnectionLimits(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void customize(TomcatServletWebServerFactory factory) {
		factory.addConnectorCustomizers((connector) -> {
			if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
				limit(protocol);
			}
		});
	}

	private void limit(AbstractProtocol<?> protocol) {
		long heap = Runtime.getRuntime().maxMemory();
		int connections = (int) Math.min(heap / SHARE_OF_CONNECTIONS / BYTES_OF_CONNECTION,
				protocol.getMaxConnections());
		int requests = (int) Math.min(heap / SHARE_OF_REQUESTS / BYTES_OF_REQUEST, connections);
		if (!this.environment.containsProperty(MAX_CONNECTIONS)) {
			protocol.setMaxConnections(connections);
		}
		if (Threading.VIRTUAL.isActive(this.environment)) {
			protocol.setExecutor(new BoundedThreadExecutor(
					new VirtualThreadTaskExecutor("tomcat-handler-").getVirtualThreadFactory(),
					this.environment.getProperty(MAX_THREADS, Integer.class, requests)));
		}
		else if (!this.environment.containsProperty(MAX_THREADS)) {
			protocol.setMaxThreads(Math.min(requests, MOST_THREADS));
		}
	}

}

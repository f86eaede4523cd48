package dev.agentsessions.web.tomcat;

import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.stereotype.Component;

/**
 * Limits open connections and concurrent requests to the number that the memory is enough
 * for. Further requests wait with their connections. Further connections are not accepted
 * until others close. Settings of the operator take precedence.
 */
@Component
class ConnectionLimits implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

	/** The buffers for reading and writing. */
	private static final int BYTES_PER_CONNECTION = 32 * 1024;

	/**
	 * In KB: head of the request 32, head of the response 48, start of the body of the
	 * request 16, of the response 32, stack 20.
	 */
	private static final int BYTES_PER_REQUEST = 148 * 1024;

	/** Connections may use 1/6 of the heap. */
	private static final int SHARE_OF_CONNECTIONS = 6;

	/**
	 * Requests may use 1/4 of the heap, without the memory that is counted elsewhere.
	 */
	private static final int SHARE_OF_REQUESTS = 4;

	/** The maximum for platform threads (before Java 21). */
	private static final int MAX_PLATFORM_THREADS = 1000;

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
		int connections = (int) Math.min(heap / SHARE_OF_CONNECTIONS / BYTES_PER_CONNECTION,
				protocol.getMaxConnections());
		int requests = (int) Math.min(heap / SHARE_OF_REQUESTS / BYTES_PER_REQUEST, connections);
		if (!this.environment.containsProperty(MAX_CONNECTIONS)) {
			protocol.setMaxConnections(connections);
		}
		if (Threading.VIRTUAL.isActive(this.environment)) {
			protocol.setExecutor(new BoundedThreadExecutor(
					new VirtualThreadTaskExecutor("tomcat-handler-").getVirtualThreadFactory(),
					this.environment.getProperty(MAX_THREADS, Integer.class, requests)));
		}
		else if (!this.environment.containsProperty(MAX_THREADS)) {
			protocol.setMaxThreads(Math.min(requests, MAX_PLATFORM_THREADS));
		}
	}

}

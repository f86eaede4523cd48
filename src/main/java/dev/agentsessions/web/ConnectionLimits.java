package dev.agentsessions.web;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.heap.HeapBudget.HeapShare;

/**
 * Limits open connections and concurrent requests to the number that the memory is enough
 * for. Further requests wait with their connections. Further connections are not accepted
 * until others close. Settings of the operator take precedence.
 */
@Component
class ConnectionLimits implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

	/** The buffer for reading, 8 KB, and the one for writing. */
	private static final int BYTES_PER_CONNECTION = 8 * 1024 + TomcatConfiguration.WRITE_BUFFER_BYTES;

	/**
	 * In KB: head of the request 40, head of the response 48, start of the body of the
	 * request 12, of the response 8, stack 20.
	 */
	private static final int BYTES_PER_REQUEST = 128 * 1024;

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
		int connections = (int) Math.min(HeapShare.CONNECTIONS.bytes() / BYTES_PER_CONNECTION,
				protocol.getMaxConnections());
		int requests = (int) Math.min(HeapShare.ACTIVE_REQUESTS.bytes() / BYTES_PER_REQUEST, connections);
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

	/**
	 * Starts a thread for each task and limits the number of concurrent tasks. Further
	 * tasks wait in their order. Intended for virtual threads: a pool of the JDK instead
	 * made appends 20 % slower.
	 */
	static final class BoundedThreadExecutor implements Executor {

		private final ThreadFactory threads;

		private final Semaphore slots;

		private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

		/**
		 * Creates an executor.
		 * @param maxTasks the maximum number of concurrent tasks
		 */
		BoundedThreadExecutor(ThreadFactory threads, int maxTasks) {
			this.threads = threads;
			this.slots = new Semaphore(maxTasks);
		}

		@Override
		public void execute(Runnable task) {
			if (this.waiting.isEmpty() && this.slots.tryAcquire()) {
				start(task);
			}
			else {
				this.waiting.add(task);
				startWaiting();
			}
		}

		/**
		 * Called after a task is added and after a slot is released, so that no task
		 * keeps waiting while a slot is free.
		 */
		private void startWaiting() {
			while (!this.waiting.isEmpty() && this.slots.tryAcquire()) {
				Runnable task = this.waiting.poll();
				if (task != null) {
					start(task);
				}
				else {
					this.slots.release();
				}
			}
		}

		private void start(Runnable task) {
			this.threads.newThread(() -> {
				try {
					task.run();
				}
				finally {
					this.slots.release();
					startWaiting();
				}
			}).start();
		}

	}

}

package dev.agentsessions.warmup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.coyote.Adapter;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.OutputBuffer;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.hibernate.validator.constraints.time.DurationMin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.security.Caller.CallerAuthentication;
import dev.agentsessions.web.ErrorResponder;

/**
 * Makes the first requests after the port has opened and before the service is ready.
 * They take seconds of processor time, nearly all of which loads classes and prepares
 * queries. Their writes are rolled back, so no client ever sees them.
 */
@Component
class WarmUp implements ApplicationRunner {

	private static final Logger logger = LoggerFactory.getLogger(WarmUp.class);

	/** Names of the filters that count and log requests; they skip the warm-up. */
	private static final List<String> OBSERVING_FILTERS = List.of("requestLog", "requestMetrics", "requestTraces",
			"drainFilter");

	private static final String SESSIONS = "/apps/warm-up/users/warm-up/sessions";

	/**
	 * Has no key that sessions share, so replicas that start at once do not block each
	 * other.
	 */
	private static final String SESSION = "{\"state\": {\"key\": 1}}";

	private final WarmUpProperties properties;

	private final TransactionTemplate transaction;

	private final ApplicationContext context;

	private final String event = new ClassPathResource("sample-event.json").getContentAsString(StandardCharsets.UTF_8);

	private final Map<String, Object> attributes = new HashMap<>();

	WarmUp(WarmUpProperties properties, PlatformTransactionManager transactions, ApplicationContext context)
			throws IOException {
		this.properties = properties;
		this.transaction = new TransactionTemplate(transactions);
		this.context = context;
		OBSERVING_FILTERS
			.forEach((name) -> this.attributes.put(name + OncePerRequestFilter.ALREADY_FILTERED_SUFFIX, true));
		this.attributes.put(ErrorResponder.FAILURE_LOGGED_BY_CALLER, true);
		this.attributes.putAll(CallerAuthentication.attributesOfOwnRequest());
	}

	@Override
	public void run(ApplicationArguments arguments) throws InterruptedException {
		if (!this.properties.warmUpTimeout().isZero()
				&& this.context instanceof ServletWebServerApplicationContext service
				&& service.getWebServer() instanceof TomcatWebServer server) {
			Adapter tomcat = server.getTomcat().getConnector().getProtocolHandler().getAdapter();
			String base = Objects.requireNonNull(service.getServletContext()).getContextPath();
			run(() -> send(tomcat, base + SESSIONS));
		}
	}

	/**
	 * Returns normally if the requests fail or time out: the service is ready afterwards.
	 */
	private void run(Runnable task) throws InterruptedException {
		FutureTask<?> requests = new FutureTask<>(task, null);
		Thread thread = new Thread(requests, "warm-up");
		thread.setDaemon(true);
		thread.start();
		try {
			requests.get(this.properties.warmUpTimeout().toMillis(), TimeUnit.MILLISECONDS);
			logger.debug("Warmed up");
		}
		catch (ExecutionException ex) {
			logger.warn("Not warmed up, so the first requests take longer: {}", String.valueOf(ex.getCause()));
		}
		catch (TimeoutException ex) {
			thread.interrupt();
			logger.warn("Not warmed up within {} s, so the first requests take longer",
					this.properties.warmUpTimeout().toSeconds());
		}
	}

	private void send(Adapter tomcat, String sessions) {
		this.transaction.executeWithoutResult((status) -> {
			status.setRollbackOnly();
			send(tomcat, new WarmUpRequest("POST", sessions, SESSION));
		});
		// No session has the id, so these find nothing and write nothing
		String session = sessions + "/" + UUID.randomUUID();
		send(tomcat, new WarmUpRequest("POST", session + "/events", this.event));
		send(tomcat, new WarmUpRequest("GET", session + "/events/warm-up", ""));
	}

	private void send(Adapter tomcat, WarmUpRequest request) {
		int status;
		try {
			status = request.send(tomcat, this.attributes);
		}
		catch (Exception ex) {
			throw new IllegalStateException(request.method() + " " + request.path(), ex);
		}
		if (HttpStatusCode.valueOf(status).is5xxServerError()) {
			throw new IllegalStateException(request.method() + " " + request.path() + " returned status " + status);
		}
	}

	/**
	 * A request from the service to itself. It passes Tomcat, all filters and a
	 * controller on the calling thread, but no network. So neither the address, nor TLS,
	 * nor access control matters, and it can be part of a transaction.
	 *
	 * @param method the HTTP method
	 * @param path the path, with the context path of the service
	 * @param body the body in JSON; empty for none
	 */
	private record WarmUpRequest(String method, String path, String body) {

		/**
		 * Sends the request.
		 * @param attributes the attributes of the request
		 * @return the status of the response
		 */
		int send(Adapter tomcat, Map<String, Object> attributes) throws Exception {
			Request request = request();
			attributes.forEach(request::setAttribute);
			Response response = new Response();
			response.setOutputBuffer(new DiscardedOutput());
			request.setResponse(response);
			response.setRequest(request);
			tomcat.service(request, response);
			return response.getStatus();
		}

		private Request request() {
			byte[] bytes = this.body.getBytes(StandardCharsets.UTF_8);
			Request request = new Request();
			request.setMethod(this.method);
			request.requestURI().setString(this.path);
			request.decodedURI().setString(this.path);
			request.protocol().setString("HTTP/1.1");
			request.serverName().setString("localhost");
			request.remoteAddr().setString("127.0.0.1");
			request.getMimeHeaders().addValue("Host").setString("localhost");
			if (bytes.length > 0) {
				request.getMimeHeaders().addValue("Content-Type").setString("application/json");
				request.setContentLength(bytes.length);
			}
			request.setInputBuffer(new Body(ByteBuffer.wrap(bytes)));
			return request;
		}

		private record Body(ByteBuffer bytes) implements InputBuffer {

			@Override
			public int doRead(ApplicationBufferHandler handler) {
				if (!this.bytes.hasRemaining()) {
					return -1;
				}
				ByteBuffer all = this.bytes.slice();
				this.bytes.position(this.bytes.limit());
				handler.setByteBuffer(all);
				return all.remaining();
			}

			@Override
			public int available() {
				return this.bytes.remaining();
			}

		}

		private static final class DiscardedOutput implements OutputBuffer {

			private long written;

			@Override
			public int doWrite(ByteBuffer chunk) {
				int length = chunk.remaining();
				chunk.position(chunk.limit());
				this.written += length;
				return length;
			}

			@Override
			public long getBytesWritten() {
				return this.written;
			}

		}

	}

	/**
	 * Settings of the warm-up.
	 *
	 * @param warmUpTimeout the time after which the service is ready even if the warm-up
	 * has not finished; zero for no warm-up
	 */
	@Validated
	@ConfigurationProperties("agent-sessions")
	record WarmUpProperties(@DefaultValue("20s") @DurationMin Duration warmUpTimeout) {

	}

}

package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.servlet.filter.OrderedCharacterEncodingFilter;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializerBeans;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.security.hostile.RawRequest;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.LogsErrors;
import dev.agentsessions.support.ReadsLog;
import dev.agentsessions.web.ErrorResponder.FaultFilter;

/**
 * Whatever throws, the client gets an error of its dialect, and the log has few lines.
 */
@HttpTest
@Import(ErrorResponderTests.ThrowingFilter.class)
@TestPropertySource(properties = "server.servlet.context-path=/a/b")
@ExtendWith(OutputCaptureExtension.class)
@ReadsLog
class ErrorResponderTests {

	private static final String LIST = "/a/b/apps/shop/users/ann/sessions";

	private static final Map<String, Throwable> THROWN = Map.of("runtime", new IllegalStateException("secret"), "io",
			new IOException("secret"), "error", new StackOverflowError("secret"), "not-found",
			new ServletException(new SessionException.NotFound()), "parameter",
			new InvalidParameterException("secret"));

	private final Logger logger = (Logger) LoggerFactory.getLogger(ErrorResponder.class);

	private final Http http;

	private final ListableBeanFactory beans;

	ErrorResponderTests(Http http, ListableBeanFactory beans) {
		this.http = http;
		this.beans = beans;
	}

	@ParameterizedTest
	@ValueSource(strings = { "runtime", "io", "error" })
	@LogsErrors
	void answersAFaultAndTracesItOnce(String thrown, CapturedOutput log) {
		for (int i = 0; i < 3; i++) {
			Answer answer = send(LIST, thrown).problem(500, "INTERNAL");
			assertThat(answer.body()).doesNotContain("secret");
			assertThat(answer.header("X-Request-Id")).contains(answer.at("/requestId").stringValue());
		}
		assertThat(log.getOut().lines().filter((line) -> line.contains("Answered 500 to GET " + LIST))).hasSize(3);
		assertThat(log.getOut().lines().filter((line) -> line.startsWith("\tat " + ThrowingFilter.class.getName())))
			.as("stack traces")
			.hasSizeLessThanOrEqualTo(1);
		assertThat(log.getOut().lines().filter((line) -> line.contains(" " + LIST + " 500 "))).hasSize(3);
	}

	@Test
	@LogsErrors
	void answersInTheDialectOfThePath() {
		assertThat(send("/a/b/v1/reasoningEngines/shop/sessions", "runtime").at("/error/status").stringValue())
			.isEqualTo("INTERNAL");
		assertThat(send("/a/b/console", "runtime").body()).contains("<!doctype html>");
	}

	@Test
	void answersARefusalAsIfAControllerHadThrownIt() {
		send(LIST, "not-found").problem(404, "SESSION_NOT_FOUND");
		send(LIST, "parameter").problem(400, "INVALID_ARGUMENT");
	}

	@BeforeEach
	void logsMoreThanErrors() {
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void logsErrors() {
		this.logger.setLevel(Level.ERROR);
	}

	@ParameterizedTest
	@ValueSource(strings = { "not-found", "parameter" })
	void cutsAResponseThatHasBegunWithOneLine(String thrown, CapturedOutput log) {
		assertThatExceptionOfType(UncheckedIOException.class)
			.isThrownBy(() -> this.http.send("GET", LIST, BodyPublishers.noBody(), "Throw", thrown, "Begin", "true"));
		assertThat(log.getOut().lines().filter((line) -> line.contains("Cut the response to GET " + LIST))).hasSize(1);
		assertThat(log).doesNotContain("\tat ", " ERROR ");
	}

	/** Any other filter may throw, so it has to come after this one. */
	@Test
	void comesBeforeAllFiltersButThoseThatObserve() {
		List<Class<?>> before = new ArrayList<>();
		for (Object initializer : new ServletContextInitializerBeans(this.beans)) {
			if (initializer instanceof AbstractFilterRegistrationBean<?> registration) {
				Filter filter = registration.getFilter();
				if (filter instanceof FaultFilter) {
					break;
				}
				before.add(filter.getClass());
			}
		}
		assertThat(before).extracting(Class::getName)
			.containsExactlyInAnyOrder(RequestId.IdFilter.class.getName(),
					OrderedCharacterEncodingFilter.class.getName(), ReadsLog.REQUESTS, RequestMetrics.class.getName());
	}

	@ParameterizedTest
	@ValueSource(strings = { "//a/b/version", "/a//b/version", "//a//b/version", "//%61/b/version",
			"/a//b//v1/reasoningEngines/shop/sessions" })
	void findsAContextPathWithMoreSlashes(String path) throws IOException {
		assertThat(new RawRequest("GET", path, "", "").send(this.http.port())).startsWith("HTTP/1.1 200");
	}

	@Test
	void ignoresHowManyLanguagesAClientKnows() {
		this.http
			.send("GET", "/a/b/health", BodyPublishers.noBody(), "Accept-Language",
					"aa,ab,ae,af,ak,am,an,ar,as,av,ay,az,ba,be")
			.ok();
	}

	private Answer send(String path, String thrown) {
		return this.http.send("GET", path, BodyPublishers.noBody(), "Throw", thrown);
	}

	/** Throws what a header names, before or after the response has begun. */
	@TestConfiguration(proxyBeanMethods = false)
	@Order(Ordered.HIGHEST_PRECEDENCE + 12)
	static class ThrowingFilter extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String name = request.getHeader("Throw");
			if (name == null) {
				chain.doFilter(request, response);
				return;
			}
			response.setContentLength(1000);
			response.getOutputStream().print("[");
			if (request.getHeader("Begin") != null) {
				response.flushBuffer();
			}
			throw sneaky(THROWN.get(name));
		}

		@SuppressWarnings("unchecked")
		private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
			throw (T) thrown;
		}

	}

}

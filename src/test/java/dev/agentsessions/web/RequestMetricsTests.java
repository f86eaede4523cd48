package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import dev.agentsessions.session.SessionException.Kind;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Requests are timed by their route. */
@HttpTest
class RequestMetricsTests {

	private static final String SESSION_ROUTE = "/apps/{appName}/users/{userId}/sessions/{sessionId}";

	private final Http http;

	private final MeterRegistry registry;

	RequestMetricsTests(Http http, MeterRegistry registry) {
		this.http = http;
		this.registry = registry;
	}

	@Test
	void timesRequestsByMethodRouteAndStatus() {
		long before = count("GET", SESSION_ROUTE, 404);
		this.http.get("/apps/shop/users/ann/sessions/" + UUID.randomUUID());
		this.http.get("/apps/shop/users/bob/sessions/" + UUID.randomUUID());
		Awaitility.await().untilAsserted(() -> assertThat(count("GET", SESSION_ROUTE, 404)).isEqualTo(before + 2));
	}

	@Test
	void tellsErrorsApart() {
		this.http.get("/apps/shop/users/ann/sessions/" + UUID.randomUUID());
		this.http.post("/apps/shop/users/ann/sessions", "{");
		this.http.get("/list-apps").ok();
		Awaitility.await().untilAsserted(() -> assertThat(errors()).contains("NOT_FOUND", "Malformed", "none"));
	}

	@Test
	void countsRefusalsByKindFromTheStart() {
		assertThat(this.registry.find("agentsessions.refusals").counters()).hasSize(Kind.values().length + 1);
		double before = refusals("NOT_FOUND");
		this.http.get("/apps/shop/users/ann/sessions/" + UUID.randomUUID());
		Awaitility.await().untilAsserted(() -> assertThat(refusals("NOT_FOUND")).isEqualTo(before + 1));
	}

	@Test
	void countsFaultsFromTheStart() throws Exception {
		MeterRegistry own = new SimpleMeterRegistry();
		RequestMetrics metrics = new RequestMetrics(own);
		Counter faults = own.get("agentsessions.refusals").tag("kind", "INTERNAL").counter();
		assertThat(faults.count()).isZero();
		MockHttpServletResponse answered = new MockHttpServletResponse();
		metrics.doFilter(new MockHttpServletRequest("GET", "/"), answered,
				(request, response) -> answered.setStatus(500));
		assertThat(faults.count()).isEqualTo(1);
		assertThatIllegalStateException().isThrownBy(() -> metrics.doFilter(new MockHttpServletRequest("GET", "/"),
				new MockHttpServletResponse(), (request, response) -> {
					throw new IllegalStateException("escapes");
				}));
		assertThat(faults.count()).isEqualTo(2);
		assertThat(own.get("http.server.requests").tag("status", "500").timer().count()).isEqualTo(2);
	}

	@Test
	void countsNoFaultWhereTheAnswerHadBegun() {
		MeterRegistry own = new SimpleMeterRegistry();
		assertThatIllegalStateException().isThrownBy(() -> new RequestMetrics(own)
			.doFilter(new MockHttpServletRequest("GET", "/"), new MockHttpServletResponse(), (request, response) -> {
				response.flushBuffer();
				throw new IllegalStateException("The database went away meanwhile");
			}));
		assertThat(own.get("agentsessions.refusals").tag("kind", "INTERNAL").counter().count()).isZero();
	}

	private double refusals(String kind) {
		return this.registry.get("agentsessions.refusals").tag("kind", kind).counter().count();
	}

	private Set<String> errors() {
		return this.registry.find("http.server.requests")
			.timers()
			.stream()
			.map((timer) -> timer.getId().getTag("error"))
			.collect(Collectors.toSet());
	}

	@Test
	void doesNotTellOneUnknownPathFromAnother() {
		long before = count("GET", "UNKNOWN", 404) + count("GET", "/**", 404);
		this.http.get("/" + UUID.randomUUID());
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(count("GET", "UNKNOWN", 404) + count("GET", "/**", 404)).isEqualTo(before + 1));
	}

	@Test
	void doesNotTellOneUnknownMethodFromAnother() {
		this.http.send("MADEUP1", "/list-apps", BodyPublishers.noBody());
		this.http.send("MADEUP2", "/list-apps", BodyPublishers.noBody());
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.registry.find("http.server.requests").tag("method", "UNKNOWN").timers())
						.isNotEmpty());
		assertThat(this.registry.getMeters()).noneMatch((meter) -> meter.getId().toString().contains("MADEUP"));
	}

	private long count(String method, String route, int status) {
		Timer timer = this.registry.find("http.server.requests")
			.tags("method", method, "uri", route, "status", Integer.toString(status))
			.timer();
		return (timer != null) ? timer.count() : 0;
	}

}

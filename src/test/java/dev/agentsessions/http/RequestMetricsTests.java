package dev.agentsessions.http;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.agentsessions.Http;
import dev.agentsessions.HttpTest;
import dev.agentsessions.session.SessionException.Kind;

import static org.assertj.core.api.Assertions.assertThat;

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
		assertThat(this.registry.find("agentsessions.refusals").counters()).hasSize(Kind.values().length);
		double before = refusals(Kind.NOT_FOUND);
		this.http.get("/apps/shop/users/ann/sessions/" + UUID.randomUUID());
		Awaitility.await().untilAsserted(() -> assertThat(refusals(Kind.NOT_FOUND)).isEqualTo(before + 1));
	}

	private double refusals(Kind kind) {
		return this.registry.get("agentsessions.refusals").tag("kind", kind.name()).counter().count();
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

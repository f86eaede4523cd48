package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * A header that only creations of sessions and saves of artifacts honour, and that no
 * other write may ignore.
 */
@HttpTest
class IdempotencyKeyTests {

	/**
	 * What they do with it is in {@code RepeatedCreationTests} and
	 * {@code RepeatedSaveTests}.
	 */
	private static final Set<String> CREATIONS = Set.of("/apps/1/users/1/sessions", "/apps/1/users/1/sessions/1",
			"/apps/1/users/1/sessions/1:fork", "/apps/1/users/1/artifacts", "/apps/1/users/1/artifacts/1",
			"/apps/1/users/1/sessions/1/artifacts", "/apps/1/users/1/sessions/1/artifacts/1");

	private final Http http;

	private final RequestMappingHandlerMapping mapping;

	IdempotencyKeyTests(Http http, @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping) {
		this.http = http;
		this.mapping = mapping;
	}

	@Test
	void isHonouredByCreationsOnlyAndElsewhereRefused() {
		List<Route> routes = this.mapping.getHandlerMethods()
			.entrySet()
			.stream()
			.filter((handler) -> handler.getValue().getBeanType().isAnnotationPresent(RestController.class))
			.flatMap((handler) -> routes(handler.getKey()))
			.filter((route) -> Set.of("POST", "PUT", "PATCH").contains(route.method()))
			.filter((route) -> !CREATIONS.contains(route.path()))
			.toList();
		assertThat(routes).hasSizeGreaterThan(30);
		assertThat(routes).allSatisfy((route) -> {
			Answer answer = this.http.send(route.method(), route.path(), BodyPublishers.ofString("{}"), "Content-Type",
					route.type(), "Idempotency-Key", "k");
			assertThat(answer.status()).as(answer.body()).isEqualTo(400);
			assertThat(answer.body()).contains("Idempotency-Key is not supported here: give each event an id");
		});
	}

	@Test
	void doesNotMatterWhereRequestsMayBeRepeated() {
		this.http.post("/apps/keyless/users/ann/sessions/s", "{}").ok();
		this.http.send("GET", "/apps/keyless/users/ann/sessions/s", BodyPublishers.noBody(), "Idempotency-Key", "k")
			.ok();
	}

	private static Stream<Route> routes(RequestMappingInfo info) {
		String type = info.getConsumesCondition()
			.getConsumableMediaTypes()
			.stream()
			.map(Object::toString)
			.findFirst()
			.orElse("application/json");
		return info.getPatternValues()
			.stream()
			.flatMap((path) -> info.getMethodsCondition()
				.getMethods()
				.stream()
				.map(RequestMethod::name)
				.map((method) -> new Route(method, path.replaceAll("\\{[^}]*}", "1"), type)));
	}

	private record Route(String method, String path, String type) {

	}

}

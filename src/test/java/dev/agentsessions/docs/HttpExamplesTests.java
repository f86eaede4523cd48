package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import dev.agentsessions.support.Bodies;
import dev.agentsessions.support.HttpTest;

/** Runs the examples for editors from top to bottom. */
@HttpTest
class HttpExamplesTests {

	private static final Path FILE = Path.of("docs/http/sessions.http");

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private RequestMappingHandlerMapping requestMappingHandlerMapping;

	@LocalServerPort
	private int port;

	@Test
	void answersHaveTheStatusInTheTitle() throws Exception {
		for (HttpExample example : examples()) {
			HttpResponse<String> answer = this.client.send(example.request(), Bodies.text());
			assertThat(answer.statusCode()).as("%s: %s", example, answer.body()).isEqualTo(example.status());
		}
	}

	@Test
	void everyTitleHasARequest() throws IOException {
		long titles = Files.readString(FILE).lines().filter((line) -> line.startsWith("###")).count();
		assertThat(examples()).hasSize((int) titles);
	}

	@Test
	void everyRouteHasAnExample() throws IOException {
		List<HttpExample> examples = examples();
		assertThat(routes()).isNotEmpty()
			.allSatisfy((route) -> assertThat(examples).anyMatch((example) -> isOf(route, example)));
	}

	private List<HttpExample> examples() throws IOException {
		return HttpExample.read(FILE, "http://localhost:" + this.port);
	}

	private Set<RequestMappingInfo> routes() {
		Map<RequestMappingInfo, HandlerMethod> handlers = this.requestMappingHandlerMapping.getHandlerMethods();
		return handlers.keySet()
			.stream()
			.filter((route) -> handlers.get(route).getBeanType().getPackageName().contains(".adk"))
			.collect(Collectors.toSet());
	}

	private static boolean isOf(RequestMappingInfo route, HttpExample example) {
		PathContainer path = PathContainer.parsePath(example.request().uri().getPath());
		RequestMethod method = RequestMethod.valueOf(example.request().method());
		return route.getMethodsCondition().getMethods().contains(method)
				&& route.getPathPatternsCondition().getPatterns().stream().anyMatch((pattern) -> pattern.matches(path));
	}

}

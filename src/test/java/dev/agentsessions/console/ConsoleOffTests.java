package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.agentsessions.security.Call;

/** Where anybody from anywhere may call, there is no console. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "agent-sessions.embedded.keep-data=false",
		"server.address=0.0.0.0", "agent-sessions.security.allow-anonymous=true" })
class ConsoleOffTests {

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@ValueSource(strings = { "/console", "/console/apps/shop", "/console/static/console.css", "/console/nowhere" })
	void hasNoPage(String path) {
		HttpResponse<String> answer = new Call(this.port, "GET", path).send();
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(answer.body()).contains("\"code\":\"NOT_FOUND\"");
		assertThat(new Call(this.port, "POST", path).send().statusCode()).isEqualTo(404);
	}

	@Test
	void beginsWithTheDocuments() {
		assertThat(new Call(this.port, "GET", "/").send().headers().firstValue("Location"))
			.hasValueSatisfying((place) -> assertThat(place).endsWith("/swagger-ui.html"));
	}

}

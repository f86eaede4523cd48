package dev.agentsessions.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** The Swagger UI has its files and looks for no others, which would stay in memory. */
@HttpTest
class SwaggerUiPathsTests {

	private final Http http;

	SwaggerUiPathsTests(Http http) {
		this.http = http;
	}

	@Test
	void servesWhatThereIs() {
		for (String file : new String[] { "index.html", "swagger-ui.css", "swagger-ui-bundle.js",
				"swagger-initializer.js" }) {
			assertThat(this.http.get("/swagger-ui/" + file).status()).as(file).isEqualTo(200);
		}
	}

	@Test
	void looksForNothingElse() {
		for (String path : new String[] { "/swagger-ui/", "/swagger-ui/webjars/", "/webjars/", "/webjars/swagger-ui/",
				"/" }) {
			String unknown = path + UUID.randomUUID();
			this.http.get(unknown).problem(404, "NOT_FOUND");
		}
	}

}

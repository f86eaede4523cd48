package dev.agentsessions.vertex;

import java.net.http.HttpRequest.BodyPublishers;

import org.junit.jupiter.api.Test;

import dev.agentsessions.Http;
import dev.agentsessions.HttpTest;

import static org.assertj.core.api.Assertions.assertThat;

/** The token endpoint of a service that nobody has configured. */
@HttpTest
class TokenControllerTests {

	private final Http http;

	TokenControllerTests(Http http) {
		this.http = http;
	}

	@Test
	void isNotThereUnlessItWasTurnedOn() {
		assertThat(this.http
			.send("POST", "/sts/token", BodyPublishers.ofString("subject_token=any"), "Content-Type",
					"application/x-www-form-urlencoded")
			.status()).isEqualTo(404);
	}

}

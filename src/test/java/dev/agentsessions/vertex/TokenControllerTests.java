package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

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

package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Asks the service about itself over HTTP. */
@HttpTest
class ServiceInfoControllerTests {

	private final Api api;

	ServiceInfoControllerTests(Http http) {
		this.api = new Api(http);
	}

	@Test
	void healthIsOk() {
		assertThat(this.api.http().get("/health").ok().body()).isEqualTo("{\"status\":\"ok\"}");
	}

	@Test
	void versionIsReturned() {
		Answer version = this.api.http().get("/version").ok();

		assertThat(version.json().propertyNames()).containsExactly("version", "language", "language_version");
		assertThat(version.text("/version")).matches("\\d+\\.\\d+\\.\\d+.*");
		assertThat(version.text("/language")).isEqualTo("java");
		assertThat(version.text("/language_version")).isEqualTo(Integer.toString(Runtime.version().feature()));
	}

	@Test
	void listsAppsThatHaveASession() {
		assertThat(this.api.http().get("/list-apps").ok().body()).doesNotContain(this.api.app());

		this.api.create("{'sessionId': 's1'}").ok();
		this.api.as("bob").create("{'sessionId': 's1'}").ok();

		assertThat(this.api.http().get("/list-apps").ok().body()).containsOnlyOnce('"' + this.api.app() + '"');
		this.api.delete("s1");
		this.api.as("bob").delete("s1");
		assertThat(this.api.http().get("/list-apps").ok().body()).doesNotContain(this.api.app());
	}

}

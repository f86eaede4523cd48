package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.test.context.TestPropertySource;

/** On a port of its own, the actuator is as closed as on the port of the service. */
@TestPropertySource(properties = "management.server.port=0")
class ManagementPortTests extends SecuredServiceTest {

	@LocalManagementPort
	private int managementPort;

	@Test
	void showsEverybodyWhetherTheServiceIsHealthy() {
		assertThat(management("/actuator/health").send().body()).contains("\"status\":\"UP\"")
			.doesNotContain("components");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator", "/actuator/env", "/actuator/metrics/http.server.requests" })
	void showsTheRestToAdministratorsOnly(String path) {
		call("GET", "/list-apps").send();
		assertThat(management(path).status()).isEqualTo(401);
		assertThat(management(path).as(Keys.AGENT).status()).isEqualTo(403);
		assertThat(management(path).as(Keys.ADMINISTRATOR).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/health?x=%ff", "/actuator/health/a%2Fb", "/actuator/env?x=%ff" })
	void refusesWhatItCannotReadThere(String path) {
		assertThat(management(path).as(Keys.ADMINISTRATOR).status()).isEqualTo(400);
	}

	@Test
	void hasNoSessionsThere() {
		assertThat(management("/list-apps").status()).isEqualTo(401);
		assertThat(management("/list-apps").as(Keys.ADMINISTRATOR).status()).isEqualTo(404);
	}

	@Test
	void leavesNothingOnThePortOfTheService() {
		assertThat(call("GET", "/actuator/env").as(Keys.ADMINISTRATOR).status()).isEqualTo(404);
		assertThat(call("GET", "/list-apps").as(Keys.AGENT).status()).isEqualTo(200);
	}

	private Call management(String path) {
		return new Call(this.managementPort, "GET", path);
	}

}

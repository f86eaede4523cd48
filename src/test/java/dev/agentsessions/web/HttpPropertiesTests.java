package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThatException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

class HttpPropertiesTests {

	@ParameterizedTest
	@CsvSource({ "max-body-size, 0, must be 1B to 1GB", "max-body-size, -1, must be 1B to 1GB",
			"max-body-size, 2GB, must be 1B to 1GB", "body-timeout, 0, must be at least 1ms",
			"max-json-depth, 501, must be 1 to 500", "max-json-tokens, 0, must be at least 1" })
	void refusesLimitsThatLetNothingThroughOrTooMuch(String name, String value, String rule) {
		String property = "agent-sessions." + name;
		Binder binder = Binder.get(new MockEnvironment().withProperty(property, value));
		assertThatException().isThrownBy(() -> binder.bind("agent-sessions", HttpProperties.class))
			.havingRootCause()
			.withMessage(property + " " + rule);
	}

}

package dev.agentsessions.session.usage;

import static org.assertj.core.api.Assertions.assertThatException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

class PricePropertiesTests {

	@ParameterizedTest
	@ValueSource(strings = { "model", "input", "output" })
	void namesWhatAnIncompletePriceNeeds(String only) {
		Binder binder = Binder.get(new MockEnvironment().withProperty("agent-sessions.console.prices[0]." + only, "1"));
		assertThatException().isThrownBy(() -> binder.bind("agent-sessions.console", PriceProperties.class))
			.havingRootCause()
			.withMessage("agent-sessions.console.prices: each entry needs a model, an input and an output price");
	}

}

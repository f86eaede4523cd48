package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.security.ApiKeys.ApiKey;

/** Keys are made by the program itself, without a database or a server. */
@ExtendWith(OutputCaptureExtension.class)
class ApiKeyCommandTests {

	@Test
	void printsAKeyAndItsHashAndEnds(CapturedOutput output) {
		AgentSessionsApplication.main(new String[] { "--new-api-key" });
		Matcher key = Pattern.compile("(?m)^as_[A-Za-z0-9_-]{43}$").matcher(output);
		assertThat(key.find()).isTrue();
		assertThat(output).contains("\n" + HexFormat.of().formatHex(ApiKey.hash(key.group())) + "\n")
			.doesNotContain("Spring");
	}

	@Test
	void makesAnotherKeyEachTime() {
		assertThat(ApiKeyCommand.describe()).isNotEqualTo(ApiKeyCommand.describe());
	}

}

package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.security.ApiKeys.ApiKey;
import dev.agentsessions.security.Caller.Role;
import dev.agentsessions.support.LogsErrors;

/** Keys that are configured wrongly stop the start, and are not shown. */
@ExtendWith(OutputCaptureExtension.class)
@LogsErrors
class ApiKeySettingsTests {

	@Test
	void requiresAllThatDescribesAKey() {
		String hash = "0".repeat(64);
		assertThatIllegalArgumentException().isThrownBy(() -> new ApiKey(" ", hash, List.of("a"), Role.AGENT))
			.withMessageContaining("name");
		assertThatIllegalArgumentException().isThrownBy(() -> new ApiKey("a", null, List.of("a"), Role.AGENT))
			.withMessageContaining("sha256");
		assertThatIllegalArgumentException().isThrownBy(() -> new ApiKey("a", hash, List.of(), Role.AGENT))
			.withMessageContaining("apps");
		assertThatIllegalArgumentException().isThrownBy(() -> new ApiKey("a", hash, List.of("a"), null))
			.withMessageContaining("role");
		assertThat(new ApiKey("prometheus", hash, null, Role.METRICS).apps()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "[0].sha256, sha256 must be the 64 hexadecimal digits",
			"[0].role, 'api-keys[0].role is not valid, from \"agent-sessions.security'", "'', api-keys is not valid" })
	void saysWhatIsWrongWithoutShowingAKeyInTheWrongPlace(String place, String reason, CapturedOutput output) {
		SpringApplicationBuilder program = new SpringApplicationBuilder(AgentSessionsApplication.class)
			.properties("agent-sessions.embedded.keep-data=false", "server.port=0");
		String key = "--agent-sessions.security.api-keys";
		assertThatThrownBy(() -> program.run(key + "[0].name=a", key + "[0].sha256=as_other", key + "[0].apps=a",
				key + "[0].role=agent", key + place + "=as_secret"))
			.isInstanceOf(Exception.class);
		assertThat(output).contains("APPLICATION FAILED TO START", reason).doesNotContain("as_secret", "as_other");
	}

	@Test
	void saysWhatToSetBeforeStrangersMayReachTheService(CapturedOutput output) {
		SpringApplicationBuilder program = new SpringApplicationBuilder(AgentSessionsApplication.class)
			.properties("agent-sessions.embedded.keep-data=false", "server.port=0");
		assertThatThrownBy(() -> program.run("--server.address=0.0.0.0")).isInstanceOf(Exception.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "--new-api-key", "SERVER_ADDRESS=127.0.0.1");
	}

}

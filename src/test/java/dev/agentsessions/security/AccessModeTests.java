package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.security.oauth2.jwt.JwtDecoder;

import dev.agentsessions.security.ApiKeys.ApiKey;
import dev.agentsessions.security.Caller.Role;
import dev.agentsessions.security.CurrentCaller.AccessMode;
import dev.agentsessions.startup.StartupException;

/** The service does not start where strangers could reach it. */
class AccessModeTests {

	private static final String HASH = "0".repeat(64);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withInitializer((context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
		.withUserConfiguration(Settings.class, AccessModeConfiguration.class);

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "127.1.2.3", "localhost", "::1" })
	void startsOpenOnLoopback(String address) {
		this.runner.withPropertyValues("server.address=" + address)
			.run((context) -> assertThat(context.getBean(AccessMode.class)).isEqualTo(new AccessMode(true, true)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "server.address=0.0.0.0", "server.address=::", "server.address=10.0.0.1", "server.port=80",
			"management.server.port=81" })
	void refusesToStartOpenElsewhere(String setting) {
		this.runner.withPropertyValues(setting)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartupException.class)
				.hasMessageContaining("no access control"));
	}

	@Test
	void refusesAnOpenActuatorOnAnAddressOfItsOwn() {
		this.runner.withPropertyValues("server.address=127.0.0.1", "management.server.port=81")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartupException.class)
				.hasMessageContaining("no access control"));
		this.runner
			.withPropertyValues("server.address=127.0.0.1", "management.server.port=81",
					"management.server.address=127.0.0.1")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void startsOpenElsewhereOnlyWhenToldTo() {
		this.runner.withPropertyValues("server.address=0.0.0.0", "agent-sessions.security.allow-anonymous=true")
			.run((context) -> assertThat(context.getBean(AccessMode.class)).isEqualTo(new AccessMode(true, false)));
	}

	@Test
	void isNeverOpenWithAKeyWhateverElseIsSet() {
		this.runner
			.withPropertyValues("server.address=0.0.0.0", "agent-sessions.security.allow-anonymous=true",
					"agent-sessions.security.api-keys[0].name=a", "agent-sessions.security.api-keys[0].sha256=" + HASH,
					"agent-sessions.security.api-keys[0].apps=*", "agent-sessions.security.api-keys[0].role=agent")
			.run((context) -> assertThat(context.getBean(AccessMode.class)).isEqualTo(new AccessMode(false, false)));
	}

	@Test
	void readsAKeyFromTheVariablesThatTheFailureNames() {
		this.runner.withPropertyValues("server.address=0.0.0.0")
			.run((context) -> assertThat(
					((StartupException) NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
						.action())
				.contains("AGENTSESSIONS_SECURITY_APIKEYS_0_NAME", "AGENTSESSIONS_SECURITY_APIKEYS_0_SHA256",
						"AGENTSESSIONS_SECURITY_APIKEYS_0_APPS", "AGENTSESSIONS_SECURITY_APIKEYS_0_ROLE",
						"AGENTSESSIONS_SECURITY_ALLOWANONYMOUS", "--new-api-key"));
		this.runner
			.withInitializer(TestVariables.of("AGENTSESSIONS_SECURITY_APIKEYS_0_NAME", "a",
					"AGENTSESSIONS_SECURITY_APIKEYS_0_SHA256", HASH, "AGENTSESSIONS_SECURITY_APIKEYS_0_APPS", "x,y",
					"AGENTSESSIONS_SECURITY_APIKEYS_0_ROLE", "reader"))
			.run((context) -> assertThat(context.getBean(SecurityProperties.class).apiKeys())
				.containsExactly(new ApiKey("a", HASH, List.of("x", "y"), Role.READER)));
	}

	@Test
	void acceptsTokensOnlyWithIssuerAndAudience() {
		String prefix = "spring.security.oauth2.resourceserver.jwt.";
		ApplicationContextRunner tokens = this.runner.withBean(JwtDecoder.class, () -> (token) -> null);
		tokens.withPropertyValues(prefix + "issuer-uri=https://issuer.example")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartupException.class)
				.hasMessageContaining("Tokens are accepted"));
		tokens.withPropertyValues(prefix + "audiences=a", prefix + "jwk-set-uri=https://issuer.example/keys")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartupException.class)
				.hasMessageContaining("Tokens are accepted"));
		tokens.withPropertyValues(prefix + "issuer-uri=https://issuer.example", prefix + "audiences=a")
			.run((context) -> assertThat(context.getBean(AccessMode.class).isOpen()).isFalse());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(SecurityProperties.class)
	static class Settings {

	}

}

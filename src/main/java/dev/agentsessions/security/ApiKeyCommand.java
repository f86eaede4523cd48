package dev.agentsessions.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

import dev.agentsessions.security.ApiKeys.ApiKey;

/** Generates an API key, which is printed once and not stored. */
public final class ApiKeyCommand {

	/** The command-line option that generates a key. */
	public static final String OPTION = "--new-api-key";

	private static final int KEY_BYTES = 32;

	private ApiKeyCommand() {
	}

	/** Returns a new key and its configuration, as text for the operator. */
	public static String describe() {
		byte[] random = new byte[KEY_BYTES];
		new SecureRandom().nextBytes(random);
		String key = "as_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
		return """
				API key, for the caller; it is shown only now:
				%s

				SHA-256, for the configuration of the service:
				%s

				agent-sessions:
				  security:
				    api-keys:
				      - name: my-agent
				        sha256: %2$s
				        apps: my-app
				        role: agent
				""".formatted(key, HexFormat.of().formatHex(ApiKey.hash(key)));
	}

}

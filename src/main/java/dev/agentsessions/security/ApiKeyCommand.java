package dev.agentsessions.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Makes an API key, which is shown once and nowhere kept. */
public final class ApiKeyCommand {

	/** What asks for a key on the command line. */
	public static final String OPTION = "--new-api-key";

	private static final int BYTES = 32;

	private ApiKeyCommand() {
	}

	/** A new key with what has to be configured for it, to be read by a person. */
	public static String describe() {
		byte[] random = new byte[BYTES];
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

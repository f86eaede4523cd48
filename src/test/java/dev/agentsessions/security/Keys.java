package dev.agentsessions.security;

import java.util.HexFormat;

import org.springframework.test.context.DynamicPropertyRegistry;

import dev.agentsessions.security.ApiKeys.ApiKey;

/** The API keys that the tests configure, and how. */
public enum Keys {

	AGENT("agent", "shop"),

	READER("reader", "shop"),

	ADMINISTRATOR("administrator", "shop"),

	FOREIGN_APP("administrator", "bank"),

	EVERYWHERE("agent", "*"),

	METRICS("metrics", "");

	private final String role;

	private final String apps;

	Keys(String role, String apps) {
		this.role = role;
		this.apps = apps;
	}

	/** The key itself, which only its caller knows. */
	public String key() {
		return "as_" + name().toLowerCase() + "-key-of-the-tests";
	}

	static void configure(DynamicPropertyRegistry registry) {
		for (Keys key : values()) {
			String prefix = "agent-sessions.security.api-keys[" + key.ordinal() + "].";
			registry.add(prefix + "name", () -> key.name().toLowerCase());
			registry.add(prefix + "sha256", () -> HexFormat.of().formatHex(ApiKey.hash(key.key())));
			registry.add(prefix + "apps", () -> key.apps);
			registry.add(prefix + "role", () -> key.role);
		}
	}

}

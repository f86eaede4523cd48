package dev.agentsessions.embedding;

import java.net.URI;
import java.util.Set;

import org.hibernate.validator.constraints.Range;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the embedding model.
 *
 * @param url the address to which texts are sent; without it nothing is embedded
 * @param model the name of the model
 * @param apiKey sent as a bearer token
 * @param dimensions the number of dimensions to ask for; the model decides without it
 */
@Validated
@ConfigurationProperties("agent-sessions.search.embeddings")
record EmbeddingProperties(@Nullable URI url, @Nullable String model, @Nullable String apiKey,
		@Range(min = 1, max = 8000) @Nullable Integer dimensions) {

	static final String URL = "agent-sessions.search.embeddings.url";

	private static final Set<String> SCHEMES = Set.of("http", "https");

	/** The first character after the visible ones of ASCII. */
	private static final char DELETE = 0x7f;

	/** Messages contain no values: one of them is a secret. */
	EmbeddingProperties {
		apiKey = (apiKey != null) ? apiKey.strip() : null;
		if (url != null && !url.toString().isBlank()) {
			check("url", url.getHost() != null && SCHEMES.contains(String.valueOf(url.getScheme())),
					"must be an address that begins with http:// or https://");
			check("model", model != null && !model.isBlank(), "is required with a url");
		}
		check("api-key", apiKey == null || apiKey.chars().allMatch((c) -> c > ' ' && c < DELETE),
				"must have only visible characters of ASCII");
	}

	private static void check(String setting, boolean isValid, String rule) {
		if (!isValid) {
			throw new IllegalArgumentException("agent-sessions.search.embeddings." + setting + " " + rule);
		}
	}

	/** Leaves the key out. */
	@Override
	public String toString() {
		return "EmbeddingProperties[url=" + this.url + ", model=" + this.model + "]";
	}

}

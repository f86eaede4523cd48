package dev.agentsessions.embedding;

import java.net.URI;
import java.util.Set;

import io.micrometer.core.instrument.MeterRegistry;
import org.hibernate.validator.constraints.Range;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.search.Embedder;

/** Connects to the embedding model if its address is set. */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddingConfiguration.HasUrl.class)
class EmbeddingConfiguration {

	@Bean
	Embedder embedder(EmbeddingProperties properties, MeterRegistry registry) {
		return new EmbeddingClient(properties, registry);
	}

	/** Whether the address is set, and not to an empty text. */
	static class HasUrl extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			String url = context.getEnvironment().getProperty(EmbeddingProperties.URL);
			return new ConditionOutcome(StringUtils.hasText(url), ConditionMessage.forCondition(EmbeddingProperties.URL)
				.because(StringUtils.hasText(url) ? "is set" : "is not set"));
		}

	}

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

}

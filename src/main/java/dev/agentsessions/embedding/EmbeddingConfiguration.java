package dev.agentsessions.embedding;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

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

}

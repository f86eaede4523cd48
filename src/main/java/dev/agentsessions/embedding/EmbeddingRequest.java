package dev.agentsessions.embedding;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for vectors.
 *
 * @param model the name of the model
 * @param input the texts
 * @param dimensions the number of dimensions; {@code null} if the model decides
 * @param encodingFormat how the vectors are written
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record EmbeddingRequest(@Nullable String model, List<String> input, @Nullable Integer dimensions,
		@JsonProperty("encoding_format") String encodingFormat) {

	private static final String NUMBERS = "float";

	static EmbeddingRequest of(EmbeddingProperties properties, List<String> texts) {
		return new EmbeddingRequest(properties.model(), texts, properties.dimensions(), NUMBERS);
	}

}

package dev.agentsessions.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;

import org.junit.jupiter.api.Test;

import dev.agentsessions.embedding.EmbeddingConfiguration.EmbeddingProperties;

/** The settings of the embedding model. */
class EmbeddingPropertiesTests {

	private static final URI URL = URI.create("http://localhost:1/v1/embeddings");

	@Test
	void neverShowTheKey() {
		EmbeddingProperties properties = new EmbeddingProperties(URL, "m", " key-1\n", null);
		assertThat(properties.toString()).contains("localhost").doesNotContain("key-1");
		assertThat(properties.apiKey()).isEqualTo("key-1");
		assertThatIllegalArgumentException().isThrownBy(() -> new EmbeddingProperties(URL, "m", "key\n1", null))
			.withMessageContaining("api-key")
			.withMessageNotContaining("1");
	}

	@Test
	void refuseWhatCannotWork() {
		assertThatIllegalArgumentException().isThrownBy(() -> new EmbeddingProperties(URL, " ", null, null));
		assertThatIllegalArgumentException().isThrownBy(() -> new EmbeddingProperties(URL, null, null, null));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new EmbeddingProperties(URI.create("localhost:1"), "m", null, null));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new EmbeddingProperties(URI.create("/v1/embeddings"), "m", null, null));
	}

	@Test
	void areNoneByDefault() {
		assertThat(new EmbeddingProperties(null, null, null, null).url()).isNull();
		assertThat(new EmbeddingProperties(URI.create(""), null, null, null).model()).isNull();
	}

}

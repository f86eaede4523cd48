package dev.agentsessions.embedding;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.meaning.EmbeddingException;
import dev.agentsessions.search.meaning.Vector;

/**
 * The body of an answer with vectors.
 *
 * @param data the vectors
 */
record EmbeddingAnswer(@Nullable List<Item> data) {

	/**
	 * Returns the vectors in the order of their texts.
	 * @throws EmbeddingException unless there is one for each text
	 */
	List<Vector> vectors(int count) {
		Vector[] vectors = new Vector[count];
		for (Item item : (this.data != null) ? this.data : List.<Item>of()) {
			if (item.index != null && item.index >= 0 && item.index < count && item.embedding != null) {
				vectors[item.index] = Vector.of(item.embedding);
			}
		}
		if (Arrays.stream(vectors).anyMatch(Objects::isNull)) {
			throw new EmbeddingException("an answer without a vector for each text");
		}
		return List.of(vectors);
	}

	/**
	 * The vector of a text.
	 *
	 * @param index the number of the text, from 0
	 * @param embedding the components
	 */
	record Item(@Nullable Integer index, float @Nullable [] embedding) {

	}

}

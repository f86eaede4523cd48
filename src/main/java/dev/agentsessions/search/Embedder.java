package dev.agentsessions.search;

import java.util.List;
import java.util.Optional;

/**
 * Gives texts vectors, so that texts with a similar meaning have vectors that are near.
 */
public interface Embedder {

	/** Returns the name of the model. Only vectors of one model can be compared. */
	String model();

	/** Returns the vector of a query; empty if the model does not answer in time. */
	Optional<Vector> query(String text);

	/**
	 * Returns the vectors of texts of events, in their order. A text that the model does
	 * not accept has {@link Vector#NONE}.
	 * @throws EmbeddingException if the vectors cannot be had now
	 */
	List<Vector> texts(List<String> texts);

	/** There is no answer with vectors. The message contains no text and no secret. */
	final class EmbeddingException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		public EmbeddingException(String message) {
			super(message);
		}

	}

}

package dev.agentsessions.search;

/** There is no answer with vectors. The message contains no text and no secret. */
public final class EmbeddingException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public EmbeddingException(String message) {
		super(message);
	}

}

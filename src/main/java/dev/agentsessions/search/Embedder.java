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

	/**
	 * The direction of a vector, with a byte for each dimension. The largest component is
	 * 127 or -127. The length of the vector is not kept, because a cosine does not depend
	 * on it.
	 */
	final class Vector {

		/** The vector of a text that has none. */
		public static final Vector NONE = new Vector(new byte[0]);

		private final byte[] components;

		private Vector(byte[] components) {
			this.components = components;
		}

		/** Returns a vector with the bytes of another one. */
		public static Vector ofBytes(byte[] bytes) {
			return new Vector(bytes.clone());
		}

		/**
		 * Returns the direction of some components; {@link #NONE} if they have no
		 * direction.
		 */
		public static Vector of(float[] components) {
			float largest = 0;
			for (float component : components) {
				largest = Math.max(largest, Math.abs(component));
			}
			if (!(largest > 0) || Float.isInfinite(largest)) {
				return NONE;
			}
			byte[] bytes = new byte[components.length];
			for (int i = 0; i < bytes.length; i++) {
				bytes[i] = (byte) Math.round(components[i] / largest * Byte.MAX_VALUE);
			}
			return new Vector(bytes);
		}

		public byte[] bytes() {
			return this.components.clone();
		}

		/** Whether this vector has a cosine with another one. */
		public boolean isComparableTo(Vector other) {
			return this.components.length > 0 && this.components.length == other.components.length;
		}

		/**
		 * Returns the cosine of the angle between two vectors of the same model, -1 to 1.
		 */
		public double cosine(Vector other) {
			long product = 0;
			long own = 0;
			long others = 0;
			for (int i = 0; i < this.components.length; i++) {
				product += this.components[i] * other.components[i];
				own += this.components[i] * this.components[i];
				others += other.components[i] * other.components[i];
			}
			return product / Math.sqrt((double) own * others);
		}

	}

}

package dev.agentsessions.vertex.event;

/** A version of the API, as it stands at the beginning of a path. */
public enum ApiVersion {

	/** Spoken by ADK Rust from 2.0 on, which refuses every field it does not know. */
	V1,

	/** Spoken by all others. */
	V1BETA1;

	/** The beginning of a path, with its variable {@code version}. */
	public static final String PATTERN = "/{version:v1|v1beta1}";

	/** The version of that name; any other text is {@link #V1BETA1}. */
	public static ApiVersion of(String text) {
		return "v1".equals(text) ? V1 : V1BETA1;
	}

	/** The type of a message of this version, as {@code @type} has it. */
	public String type(String message) {
		return "type.googleapis.com/google.cloud.aiplatform." + ((this == V1) ? "v1." : "v1beta1.") + message;
	}

}

package dev.agentsessions.vertex.event;

/** A version of the API, the first segment of a path. */
public enum ApiVersion {

	/** Used by ADK Rust from 2.0 on, which rejects every unknown field. */
	V1,

	/** Used by all other clients. */
	V1BETA1;

	/** The pattern of the first segment, with the variable {@code version}. */
	public static final String PATTERN = "/{version:v1|v1beta1}";

	/** Returns the version with a name; any other text is {@link #V1BETA1}. */
	public static ApiVersion of(String text) {
		return "v1".equals(text) ? V1 : V1BETA1;
	}

	/** Returns the value of {@code @type} for a message of this version. */
	public String type(String message) {
		return "type.googleapis.com/google.cloud.aiplatform." + ((this == V1) ? "v1." : "v1beta1.") + message;
	}

}

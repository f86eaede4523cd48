package dev.agentsessions.session.artifact;

/** What a version is. The store keeps the ordinal numbers. */
public enum ArtifactKind {

	/** Bytes with a media type: {@code inlineData} of a part. */
	BYTES,

	/** {@code text} of a part. */
	TEXT,

	/** A reference to a file or to another artifact: {@code fileData} of a part. */
	REFERENCE

}

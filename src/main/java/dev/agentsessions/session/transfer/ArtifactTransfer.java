package dev.agentsessions.session.transfer;

/** What an export has of artifacts. */
public enum ArtifactTransfer {

	/** All versions with their bytes. */
	INLINE,

	/** All versions, but only the digests of their bytes. */
	REFERENCE,

	/** Nothing. */
	NONE

}

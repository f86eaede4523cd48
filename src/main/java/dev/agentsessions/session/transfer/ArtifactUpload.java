package dev.agentsessions.session.transfer;

/** Bytes of an artifact that arrive in pieces. No version refers to them yet. */
public interface ArtifactUpload {

	/** Adds bytes. */
	void add(byte[] bytes);

	/** Drops the bytes. */
	void giveUp();

}

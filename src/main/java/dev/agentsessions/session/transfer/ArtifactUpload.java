package dev.agentsessions.session.transfer;

/** Bytes of an artifact that arrive in pieces. No version refers to them yet. */
public interface ArtifactUpload {

	/** Adds bytes. */
	void add(byte[] bytes);

	/** Returns the number of bytes so far. */
	long size();

	/** Returns their SHA-256, as Base64 for URLs without padding. No bytes follow. */
	String digest();

	/** Drops the bytes. */
	void giveUp();

}

package dev.agentsessions.session;

/** Where secrets are kept that all replicas of the service share. */
public interface SecretStore {

	/**
	 * A secret of at least 32 bytes, the same for all replicas and after every start. It
	 * is made up at random when it is asked for the first time.
	 * @param name what it is for
	 * @throws SessionException.Unavailable when the database cannot be reached
	 */
	byte[] secret(String name);

}

package dev.agentsessions.session;

/** Stores secrets that all replicas of the service share. */
public interface SecretStore {

	/**
	 * Returns a secret of at least 32 bytes, the same for all replicas and after every
	 * start. The first call creates it at random.
	 * @param name the purpose of the secret
	 * @throws SessionException.Unavailable when the database cannot be reached
	 */
	byte[] secret(String name);

}

package dev.agentsessions.session;

import java.time.Instant;

/** Stores secrets that all replicas of the service share. */
public interface SecretStore {

	/**
	 * Returns a secret of at least 32 bytes, the same for all replicas and after every
	 * start. The first call creates it at random.
	 * @param name the purpose of the secret
	 * @throws SessionException.Unavailable when the database cannot be reached
	 */
	byte[] secret(String name);

	/** Stores for all replicas which cookies were signed out before their expiry. */
	interface SignOutStore {

		/**
		 * Maximum number of stored cookies of the same credentials. Beyond it, the cookie
		 * that expires first is dropped: a caller that can sign out more cookies has the
		 * credentials anyway.
		 */
		int MAX_COOKIES_PER_CREDENTIALS = 1000;

		/**
		 * Signs a cookie out until its expiry. When this method returns, no replica
		 * accepts the cookie any more.
		 * @throws SessionException.Unavailable when the database cannot be reached
		 */
		void signOut(SignIn signIn);

		/**
		 * Returns whether a cookie was signed out.
		 * @throws SessionException.Unavailable when the database cannot be reached
		 */
		boolean isSignedOut(SignIn signIn);

		/**
		 * Identifies the cookie of a sign-in, without its contents.
		 *
		 * @param credentials the SHA-256 of the key or token in it, in hexadecimal digits
		 * @param cookie the SHA-256 of the cookie, in hexadecimal digits
		 * @param end the expiry of the cookie
		 */
		record SignIn(String credentials, String cookie, Instant end) {
		}

	}

}

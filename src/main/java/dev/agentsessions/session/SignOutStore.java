package dev.agentsessions.session;

/** Where it is kept, for all replicas, which cookies were signed out before their end. */
public interface SignOutStore {

	/**
	 * How many cookies are kept of the same credentials. Then the one that ends first is
	 * forgotten: a caller who can sign out more cookies has the credentials anyway.
	 */
	int MOST = 1000;

	/**
	 * Signs a cookie out, until it ends. From the return of this method on, no replica
	 * accepts it.
	 * @throws SessionException.Unavailable when the database cannot be reached
	 */
	void signOut(SignIn signIn);

	/**
	 * Whether a cookie was signed out.
	 * @throws SessionException.Unavailable when the database cannot be reached
	 */
	boolean isSignedOut(SignIn signIn);

}

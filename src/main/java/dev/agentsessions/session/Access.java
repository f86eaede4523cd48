package dev.agentsessions.session;

/** The kind of access that a caller needs. */
public enum Access {

	/** Read it. */
	READ,

	/** Create, change or delete it. */
	WRITE,

	/** Read the sessions of all users at once, or erase a user. */
	ADMINISTER

}

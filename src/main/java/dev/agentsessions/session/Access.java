package dev.agentsessions.session;

/** What a caller wants to do with data. */
public enum Access {

	/** Read it. */
	READ,

	/** Create, change or delete it. */
	WRITE,

	/** Read the sessions of all users at once, or erase a user. */
	ADMINISTER

}

package dev.agentsessions.session;

/** What a caller wants to do with data. */
public enum Access {

	/** Read it. */
	READ,

	/** Create, change or delete it. */
	WRITE,

	/** What goes beyond one user: reading the sessions of all of them. */
	ADMINISTER

}

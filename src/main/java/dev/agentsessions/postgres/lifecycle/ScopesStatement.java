package dev.agentsessions.postgres.lifecycle;

import java.util.List;
import java.util.UUID;

import dev.agentsessions.postgres.state.StateByScope;

/** Reads the state of many scopes, as far as it fits into memory. */
public interface ScopesStatement {

	/**
	 * Reads scopes in their order, as many as fit. A scope that alone does not fit is not
	 * read, and none after it.
	 * @param maxBytes about what is read; the last scope may exceed it
	 * @param maxKeys the maximum number of keys that are read or measured
	 * @return how many of the scopes were read
	 */
	int read(List<UUID> scopes, long maxBytes, long maxKeys, StateByScope found);

}

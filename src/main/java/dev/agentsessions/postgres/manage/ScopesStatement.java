package dev.agentsessions.postgres.manage;

import java.util.List;
import java.util.UUID;

import dev.agentsessions.postgres.state.StateByScope;

/** Reads the state of many scopes, as far as it fits into memory. */
public interface ScopesStatement {

	/**
	 * Reads scopes in their order, until they have a number of bytes.
	 * @param deferFrom a scope of this size and larger is not read, and none after it
	 * @param maxBytes about what is read; the last scope may exceed it
	 * @return how many of the scopes were read
	 */
	int read(List<UUID> scopes, long deferFrom, int maxBytes, StateByScope found);

}

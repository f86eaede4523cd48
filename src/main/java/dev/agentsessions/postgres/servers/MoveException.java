package dev.agentsessions.postgres.servers;

/** A bucket cannot be moved. The message tells the operator why, and what to do. */
class MoveException extends RuntimeException {

	MoveException(String message) {
		super(message);
	}

}

package dev.agentsessions.linearizability;

import java.util.Random;

import dev.agentsessions.support.Http;

/** Where the service runs. */
interface Replicas {

	/** One of the replicas. */
	Http any(Random random);

	/** Whether some of them, or their database, may be killed. */
	boolean mayFail();

}

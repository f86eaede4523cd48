package dev.agentsessions.watch;

import java.util.List;

import dev.agentsessions.session.Event;

/**
 * The client at the end of a watch. Nothing here ever waits for it, however slowly it
 * reads. Any thread may call.
 */
public interface WatchListener {

	/**
	 * Whether it takes events now. If not, {@link Watch#resume} is to be called when it
	 * does again.
	 */
	boolean isReady();

	/**
	 * Sends events in their order, until it takes no more. The others are shown again
	 * later.
	 * @param events one or more
	 * @return how many it has taken
	 */
	int show(List<Event> events);

	/**
	 * Tells the client that the service is still there, and gives up one that has not
	 * read for a long time.
	 */
	void heartbeat();

	/** Says why nothing follows, and hangs up as soon as that is sent. */
	void end(WatchEndReason reason);

}

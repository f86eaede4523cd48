package dev.agentsessions.watch;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.watch.Watch.WatchListener.WatchEndReason;

/**
 * The watches of all sessions with one key. Watches at the same point share the events
 * that are read for them. One thread at a time reads a chunk for each of a few points,
 * those nearest to the newest event first, and then lets other sessions use the thread.
 */
final class WatchedSession implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(WatchedSession.class);

	private static final int MAX_POINTS_PER_RUN = 8;

	private final SessionName name;

	private final WatchService.Store store;

	private final ResponseHeap memory;

	private final Executor readers;

	private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

	/** Number of requests to read since the last read that left nothing to show. */
	private final AtomicInteger requests = new AtomicInteger();

	WatchedSession(SessionName name, WatchService.Store store, ResponseHeap memory, Executor readers) {
		this.name = name;
		this.store = store;
		this.memory = memory;
		this.readers = readers;
	}

	Set<Watch> watches() {
		return this.watches;
	}

	/**
	 * Requests that the watches are shown the events that they miss, soon. Requests until
	 * then count as one.
	 */
	void requestRead() {
		if (this.requests.getAndIncrement() == 0) {
			submit();
		}
	}

	/**
	 * If no thread is available, the poller repeats the request: an append must not fail
	 * because of it.
	 */
	private void submit() {
		try {
			this.readers.execute(this);
		}
		catch (RuntimeException | Error ex) {
			this.requests.set(0);
			logger.warn("Watches are delayed, because no thread is available to read events", ex);
		}
	}

	@Override
	public void run() {
		int served = this.requests.get();
		boolean more = showNextChunks();
		if (more || !this.requests.compareAndSet(served, 0)) {
			submit();
		}
	}

	private boolean showNextChunks() {
		Map<EventPoint, List<Watch>> points = this.watches.stream()
			.filter(Watch::isReady)
			.collect(Collectors.groupingBy(Watch::point));
		List<EventPoint> next = points.keySet()
			.stream()
			.sorted(Comparator.comparingLong(EventPoint::seq).reversed())
			.limit(MAX_POINTS_PER_RUN)
			.toList();
		boolean morePoints = points.size() > next.size();
		boolean more = false;
		for (EventPoint point : next) {
			more |= showNextChunk(point, points.getOrDefault(point, List.of()), morePoints);
		}
		return more;
	}

	/**
	 * Shows a chunk of events. If the read fails, the next round of the poller finds that
	 * the session still has events to show, and requests the read again.
	 * @return whether a client accepted events and there are more to show
	 */
	private boolean showNextChunk(EventPoint point, List<Watch> watchesAtPoint, boolean morePoints) {
		this.memory.begin();
		try {
			Optional<EventPage> chunk = this.store.following(this.name, point);
			if (chunk.isEmpty()) {
				watchesAtPoint.forEach(Watch::endWithSession);
				return false;
			}
			boolean shown = false;
			for (Watch watch : watchesAtPoint) {
				shown |= watch.show(chunk.get().items());
			}
			return shown && (morePoints || chunk.get().more());
		}
		catch (SessionException.HistoryChanged ex) {
			watchesAtPoint.forEach((watch) -> watch.end(WatchEndReason.HISTORY_CHANGED));
			return false;
		}
		catch (SessionException.Unavailable ex) {
			logger.debug("Watches are delayed, because the store cannot read events", ex);
			return false;
		}
		catch (RuntimeException | Error ex) {
			logger.error("Watches are delayed, because this replica failed to show events", ex);
			return false;
		}
		finally {
			this.memory.end();
		}
	}

}

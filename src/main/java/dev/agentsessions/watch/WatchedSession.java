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
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.memory.ResponseMemory;

/**
 * The watches of sessions of one name. Those at the same place share what is read for
 * them. One thread at a time reads, a piece for a few places, those nearest to the newest
 * event first, and then lets other sessions have their turn.
 */
final class WatchedSession implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(WatchedSession.class);

	private static final int PLACES_OF_TURN = 8;

	private final SessionKey key;

	private final WatchStore store;

	private final ResponseMemory memory;

	private final Executor readers;

	private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

	/** How often somebody has asked for a look since the last one that found nothing. */
	private final AtomicInteger calls = new AtomicInteger();

	WatchedSession(SessionKey key, WatchStore store, ResponseMemory memory, Executor readers) {
		this.key = key;
		this.store = store;
		this.memory = memory;
		this.readers = readers;
	}

	Set<Watch> watches() {
		return this.watches;
	}

	/** Has its watches shown what they lack, soon. Many calls until then count as one. */
	void look() {
		if (this.calls.getAndIncrement() == 0) {
			takeTurn();
		}
	}

	/**
	 * Where no thread can be had, the poll asks again: an append must not fail for it.
	 */
	private void takeTurn() {
		try {
			this.readers.execute(this);
		}
		catch (RuntimeException | Error ex) {
			this.calls.set(0);
			logger.warn("Watches wait, because nobody can read for them", ex);
		}
	}

	@Override
	public void run() {
		int answered = this.calls.get();
		boolean more = showNextPieces();
		if (more || !this.calls.compareAndSet(answered, 0)) {
			takeTurn();
		}
	}

	private boolean showNextPieces() {
		Map<Watch.WatchPoint, List<Watch>> places = this.watches.stream()
			.filter(Watch::isReady)
			.collect(Collectors.groupingBy(Watch::place));
		List<Watch.WatchPoint> next = places.keySet()
			.stream()
			.sorted(Comparator.comparingLong(Watch.WatchPoint::seq).reversed())
			.limit(PLACES_OF_TURN)
			.toList();
		boolean othersWait = places.size() > next.size();
		boolean more = false;
		for (Watch.WatchPoint place : next) {
			more |= showNextPiece(place, places.getOrDefault(place, List.of()), othersWait);
		}
		return more;
	}

	/**
	 * What fails is tried again when the poll finds that something is to be shown.
	 * @return whether a client took something, and there is more to show
	 */
	private boolean showNextPiece(Watch.WatchPoint place, List<Watch> atPlace, boolean othersWait) {
		this.memory.begin();
		try {
			Optional<EventPage> piece = this.store.following(place.birth(), place.seq());
			if (piece.isEmpty()) {
				atPlace.forEach(Watch::endWithSession);
				return false;
			}
			boolean shown = false;
			for (Watch watch : atPlace) {
				shown |= watch.show(piece.get().items());
			}
			return shown && (othersWait || piece.get().more());
		}
		catch (SessionException.Unavailable ex) {
			logger.debug("Watches wait, because events cannot be read", ex);
			return false;
		}
		catch (RuntimeException | Error ex) {
			logger.error("Watches wait, because events could not be shown", ex);
			return false;
		}
		finally {
			this.memory.end();
		}
	}

}

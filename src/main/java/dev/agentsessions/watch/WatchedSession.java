package dev.agentsessions.watch;

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

import dev.agentsessions.session.AnswerMemory;
import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * The watches of sessions of one name. Those at the same place share what is read for
 * them. One thread at a time reads, a piece for each place, and then lets other sessions
 * have their turn.
 */
final class WatchedSession implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(WatchedSession.class);

	private final SessionKey key;

	private final WatchStore store;

	private final AnswerMemory memory;

	private final Executor readers;

	private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

	/** How often somebody has asked for a look since the last one that found nothing. */
	private final AtomicInteger calls = new AtomicInteger();

	WatchedSession(SessionKey key, WatchStore store, AnswerMemory memory, Executor readers) {
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
			this.readers.execute(this);
		}
	}

	@Override
	public void run() {
		int answered = this.calls.get();
		boolean more = showNextPieces();
		if (more || !this.calls.compareAndSet(answered, 0)) {
			this.readers.execute(this);
		}
	}

	private boolean showNextPieces() {
		Map<Watch.Place, List<Watch>> places = this.watches.stream()
			.filter(Watch::isReady)
			.collect(Collectors.groupingBy(Watch::place));
		boolean more = false;
		for (Map.Entry<Watch.Place, List<Watch>> place : places.entrySet()) {
			more |= showNextPiece(place.getKey(), place.getValue());
		}
		return more;
	}

	/** What fails is tried again when the poll finds that something is to be shown. */
	private boolean showNextPiece(Watch.Place place, List<Watch> atPlace) {
		this.memory.begin();
		try {
			Optional<EventPage> piece = this.store.following(this.key, place.createTime(), place.seq());
			piece.ifPresentOrElse((found) -> atPlace.forEach((watch) -> watch.show(found.items())),
					() -> atPlace.forEach(Watch::endWithSession));
			return piece.filter(EventPage::more).isPresent();
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

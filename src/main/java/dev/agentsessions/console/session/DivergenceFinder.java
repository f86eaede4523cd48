package dev.agentsessions.console.session;

import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;

/**
 * Finds where two sessions part: how many events they have in common from the beginning.
 * Two events are the same if they have the same id and the same body. Only digests of the
 * bodies stay in memory.
 */
@Component
class DivergenceFinder {

	/** Further events are not compared. */
	private static final int MAX_EVENTS = 10_000;

	/** After this number of characters of bodies, no further events are compared. */
	private static final long MAX_CHARS = 64 << 20;

	private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

	private static final int MAX_CHUNK_EVENTS = 500;

	private static final int FIRST_CHUNK_EVENTS = 10;

	/** Further chunks of both sessions together have about this number of characters. */
	private static final long CHUNK_CHARS = 8 << 20;

	private final EventService events;

	DivergenceFinder(EventService events) {
		this.events = events;
	}

	/** Compares two sessions from the beginning, as far as one request may. */
	Divergence find(Session one, Session other) {
		long begin = System.nanoTime();
		EventDigests digests = new EventDigests();
		long last = Math.min(one.revision(), other.revision());
		long start = Math.max(copied(one, other, last), copied(other, one, last));
		long common = start;
		while (common < last) {
			if (common - start >= MAX_EVENTS || digests.chars >= MAX_CHARS || System.nanoTime() - begin > MAX_NANOS) {
				return new Divergence(common, false);
			}
			int chunk = digests.nextChunk();
			List<Event> ours = read(one, common, chunk, digests);
			List<Event> theirs = read(other, common, chunk, digests);
			int same = same(ours, theirs);
			common += same;
			if (same < Math.min(ours.size(), theirs.size()) || same == 0) {
				break;
			}
		}
		return new Divergence(common, true);
	}

	/**
	 * Returns the number of events that a fork got from its source, 0 if the other
	 * session is not its source. Another session may have the id of the source, so the
	 * last copied event is compared.
	 */
	private long copied(Session fork, Session source, long last) {
		@Nullable ForkedFrom origin = fork.forkedFrom();
		boolean isSource = origin != null && origin.sessionId().equals(source.name().sessionId())
				&& fork.name().userId().equals(source.name().userId());
		if (origin == null || !isSource || origin.seq() == 0 || origin.seq() > last) {
			return 0;
		}
		long seq = origin.seq();
		EventDigests digests = new EventDigests();
		return (same(read(fork, seq - 1, 1, digests), read(source, seq - 1, 1, digests)) == 1) ? seq : 0;
	}

	private List<Event> read(Session session, long after, int limit, EventDigests digests) {
		SessionName name = session.name();
		EventQuery query = EventQuery.of(false, limit).ofSession(session.sessionKey()).between(after, Long.MAX_VALUE);
		return this.events.list(name, query, digests::digest).items();
	}

	private static int same(List<Event> ours, List<Event> theirs) {
		int same = 0;
		while (same < Math.min(ours.size(), theirs.size()) && isSame(ours.get(same), theirs.get(same))) {
			same++;
		}
		return same;
	}

	private static boolean isSame(Event one, Event other) {
		return one.id().equals(other.id()) && one.body().equals(other.body());
	}

	/** Takes digests of bodies, and counts the characters that it has read. */
	private static final class EventDigests {

		private long chars;

		private long events;

		/** Returns the event with the digest of its body instead of the body. */
		Event digest(Event event) {
			this.chars += event.body().length();
			this.events++;
			String digest = HexFormat.of().formatHex(Sha256.of(event.body().text()));
			return new Event(event.seq(), event.commitTime(), event.id(), new JsonText('"' + digest + '"'));
		}

		/** Returns how many events to read next of each session. */
		int nextChunk() {
			if (this.events == 0) {
				return FIRST_CHUNK_EVENTS;
			}
			long fitting = CHUNK_CHARS * this.events / this.chars / 2;
			return (int) Math.max(1, Math.min(MAX_CHUNK_EVENTS, fitting));
		}

	}

	/**
	 * Where two sessions part.
	 *
	 * @param common the number of events that both begin with
	 * @param whole whether the next events differ, or one session ends there; otherwise
	 * further events may be the same
	 */
	record Divergence(long common, boolean whole) {

	}

}

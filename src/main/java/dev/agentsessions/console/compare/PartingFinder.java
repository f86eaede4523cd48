package dev.agentsessions.console.compare;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;

/**
 * Finds where two sessions part: how many events they have in common from the beginning.
 * Two events are the same if they have the same id and the same body. Only digests of the
 * bodies stay in memory.
 */
@Component
class PartingFinder {

	/** Further events are not compared. */
	static final int MAX_EVENTS = 10_000;

	private static final int CHUNK_EVENTS = 500;

	private final EventService events;

	PartingFinder(EventService events) {
		this.events = events;
	}

	/** Returns the number of events that both sessions begin with. */
	long find(Session one, Session other) {
		long last = Math.min(one.revision(), other.revision());
		long common = Math.max(copied(one, other, last), copied(other, one, last));
		last = Math.min(last, common + MAX_EVENTS);
		while (common < last) {
			List<Event> ours = read(one, common, CHUNK_EVENTS);
			List<Event> theirs = read(other, common, CHUNK_EVENTS);
			int same = same(ours, theirs);
			common += same;
			if (same < Math.min(ours.size(), theirs.size()) || same == 0) {
				return common;
			}
		}
		return common;
	}

	/**
	 * Returns the number of events that a fork got from its source, 0 if the other
	 * session is not its source. Another session may have the id of the source, so the
	 * last copied event is compared.
	 */
	private long copied(Session fork, Session source, long last) {
		@Nullable ForkedFrom origin = fork.forkedFrom();
		boolean isSource = origin != null && origin.sessionId().equals(source.key().sessionId())
				&& fork.key().userId().equals(source.key().userId());
		if (origin == null || !isSource || origin.seq() == 0 || origin.seq() > last) {
			return 0;
		}
		long seq = origin.seq();
		return (same(read(fork, seq - 1, 1), read(source, seq - 1, 1)) == 1) ? seq : 0;
	}

	private List<Event> read(Session session, long after, int limit) {
		SessionKey key = session.key();
		EventQuery query = EventQuery.of(false, limit).ofSession(session.birth()).between(after, Long.MAX_VALUE);
		return this.events.list(key, query, PartingFinder::digest).items();
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

	/** Returns the event with the digest of its body instead of the body. */
	private static Event digest(Event event) {
		try {
			byte[] body = event.body().text().getBytes(StandardCharsets.UTF_8);
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
			return new Event(event.seq(), event.commitTime(), event.id(),
					new JsonText('"' + HexFormat.of().formatHex(digest) + '"'));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}

package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;

/**
 * Notes what events mean that an older version of the service has stored, before an
 * upgrade or while some replicas are not upgraded yet. Every replica looks for such
 * sessions from time to time, by an index that has no others; a session that is read
 * before is caught up with then. A piece of the history goes in a transaction, so a long
 * one holds up nobody for long.
 */
@Component
class NotesCatchUp implements Runnable {

	private static final Logger log = LoggerFactory.getLogger(NotesCatchUp.class);

	/** So many sessions are looked for at once. */
	private static final int SESSIONS_OF_PIECE = 100;

	private static final String NEXT = """
			select session_key from sessions
			where noted_seq < revision and session_key > ? and (expire_time is null or expire_time > statement_timestamp())
			order by session_key limit ?
			""";

	private static final String LOCK = """
			select noted_seq, revision from sessions
			where session_key = ? and noted_seq < revision and (expire_time is null or expire_time > statement_timestamp())
			for update
			""";

	private static final String NOTED = "update sessions set noted_seq = ? where session_key = ?";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final EventNotes notes;

	private final MarkedEvents events;

	private final OrphanedNotes orphans;

	NotesCatchUp(JdbcTemplate jdbc, Transactions transactions, EventNotes notes, MarkedEvents events,
			OrphanedNotes orphans) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.notes = notes;
		this.events = events;
		this.orphans = orphans;
	}

	@Override
	public void run() {
		try {
			long sessions = 0;
			List<UUID> piece = next(new UUID(0, 0));
			while (!piece.isEmpty()) {
				sessions += piece.stream().filter(this::tryToCatchUp).count();
				piece = next(piece.get(piece.size() - 1));
			}
			if (sessions > 0) {
				log.info("Noted what events mean in {} sessions that an older version had written to", sessions);
			}
			this.orphans.delete();
		}
		catch (SessionException.Unavailable ex) {
			log.warn("What older versions have stored is noted later, because the database does not answer");
		}
	}

	/** Whatever is wrong with one session, those behind it are noted. */
	private boolean tryToCatchUp(UUID sessionKey) {
		try {
			catchUp(sessionKey);
			return true;
		}
		catch (SessionException ex) {
			log.warn("What the events of session {} mean is noted later: {}", sessionKey, ex.getMessage());
		}
		catch (RuntimeException ex) {
			log.error("What the events of session {} mean cannot be noted", sessionKey, ex);
		}
		return false;
	}

	private List<UUID> next(UUID behind) {
		return this.transactions.statement(() -> this.jdbc.queryForList(NEXT, UUID.class, behind, SESSIONS_OF_PIECE));
	}

	/** Notes what all events of a session mean. */
	void catchUp(UUID sessionKey) {
		boolean more = true;
		while (more) {
			more = this.transactions.write(sessionKey, () -> step(sessionKey));
		}
	}

	private boolean step(UUID sessionKey) {
		return this.jdbc
			.query(LOCK, (row, number) -> new long[] { row.getLong("noted_seq"), row.getLong("revision") }, sessionKey)
			.stream()
			.findFirst()
			.map((places) -> step(sessionKey, places[0], places[1]))
			.orElse(false);
	}

	private boolean step(UUID sessionKey, long noted, long revision) {
		MarkedEvents.Piece piece = this.events.behind(sessionKey, noted, revision);
		if (!piece.marked().isEmpty()) {
			this.notes.note(sessionKey, piece.marked());
		}
		this.jdbc.update(NOTED, piece.last(), sessionKey);
		return piece.last() < revision;
	}

}

package dev.agentsessions.postgres;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Events;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.Sessions;
import dev.agentsessions.state.Removal;

/**
 * What two writes meet at: the names of a session.
 *
 * @param key the names
 * @param tag the version of the session that was there before both
 * @param store the replica that a write goes to
 * @param purge its purge
 * @param jdbc the database of all replicas
 */
record Target(SessionKey key, Precondition tag, SessionStore store, Purge purge, JdbcTemplate jdbc) {

	private static final String EXPIRE = "update sessions set expire_time = now() - interval '1 s' where session_key = ?";

	private static final String HIDE = "update sessions set expire_time = '-infinity' where session_key = ?";

	/** New names in a situation. */
	static Target in(Situation situation, SessionStore store, Purge purge, JdbcTemplate jdbc) {
		SessionKey key = Sessions.newKey();
		if (situation == Situation.NO_SESSION) {
			return new Target(key, Precondition.NEVER, store, purge, jdbc);
		}
		store.create(Sessions.with(key, "{\"a\":0,\"b\":0,\"user:u\":0}"));
		store.append(key, Events.append(Events.id("e1")));
		Session session = store.find(key, EventWindow.NONE).orElseThrow();
		switch (situation) {
			case EXPIRED -> jdbc.update(EXPIRE, ScopeKey.of(key));
			case HALF_REMOVED -> jdbc.update(HIDE, ScopeKey.of(key));
			default -> {
			}
		}
		return new Target(key, Precondition.of(session.version()), store, purge, jdbc);
	}

	/** The same at another replica. */
	Target at(SessionStore otherStore, Purge otherPurge) {
		return new Target(this.key, this.tag, otherStore, otherPurge, this.jdbc);
	}

	/**
	 * The same after the second half of an erasure: first go all sessions, then what they
	 * share, and a session that comes in between stays.
	 */
	Target withoutSharedState() {
		this.store.changeState(this.key.user(), Map.of("u", Removal.MARK, "v", Removal.MARK));
		return this;
	}

	/** All that is kept, but for times. */
	String whatIsLeft() {
		return session() + " user " + new TreeMap<>(this.store.state(this.key.user()));
	}

	private String session() {
		Optional<Session> session = this.store.find(this.key, EventWindow.ALL);
		return session
			.map((found) -> "revision %d, details %d, %s, %s, events %s".formatted(found.revision(),
					found.version().detailsRevision(), found.details().displayName(), new TreeMap<>(found.state()),
					found.events().toList().stream().map((event) -> event.seq() + " " + event.id()).toList()))
			.orElse("no session");
	}

}

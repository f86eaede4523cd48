package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.postgres.lifecycle.Purge;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/**
 * What two writes meet at: the names of a session.
 *
 * @param name the names
 * @param tag the version of the session that was there before both
 * @param lease the number of the lease that {@link #HOLDER} had before both
 * @param store the replica that a write goes to
 * @param history its past
 * @param purge its purge
 * @param jdbc the database of all replicas
 */
record Target(SessionName name, Precondition tag, long lease, Stores store, HistoryService history, Purge purge,
		JdbcTemplate jdbc) {

	/** Another session of the same user, to be forked. */
	static final String SOURCE = "source";

	/** What a fork of the session is called. */
	static final String FORK = "fork";

	/** Who had the lease. */
	static final String HOLDER = "holder";

	private static final String EXPIRE = "update sessions set expire_time = now() - interval '1 s' where name_key = ?";

	private static final String LEASE = """
			select concat_ws(' ', lease_holder, lease_exclusive) from sessions
			where name_key = ? and (expire_time is null or expire_time > now())""";

	/** New names in a situation. */
	static Target in(Situation situation, ApplicationContext replica) {
		SessionName name = Sessions.newKey();
		Stores store = Stores.of(replica);
		if (situation == Situation.NO_SESSION) {
			return at(name, Precondition.NEVER, 1, replica);
		}
		Session session = store
			.create(Sessions.with(name, "{\"a\":0,\"b\":0,\"user:u\":0}", "{\"id\":\"e1\",\"invocationId\":\"i1\"}"));
		assertThat(session.revision()).isEqualTo(1);
		LeaseRequest request = new LeaseRequest(HOLDER, Duration.ofMinutes(10), null);
		long lease = store.acquire(name, request, Precondition.NONE).number();
		if (situation == Situation.EXPIRED) {
			replica.getBean(JdbcTemplate.class).update(EXPIRE, ScopeKey.of(name));
		}
		return at(name, Precondition.of(session.version()), lease, replica);
	}

	/** The same with {@link #SOURCE}. */
	Target withSource() {
		this.store.create(
				Sessions.with(Sessions.sibling(this.name, SOURCE), "{\"g\":0}", "{\"id\":\"e1\"}", "{\"id\":\"e2\"}"));
		return this;
	}

	/** The same at another replica. */
	Target at(ApplicationContext replica) {
		return at(this.name, this.tag, this.lease, replica);
	}

	private static Target at(SessionName name, Precondition tag, long lease, ApplicationContext replica) {
		Stores store = Stores.of(replica);
		return new Target(name, tag, lease, store, Histories.of(store, replica.getBean(HistoryService.Store.class)),
				replica.getBean(Purge.class), replica.getBean(JdbcTemplate.class));
	}

	/**
	 * The same after the second half of an erasure: first go all sessions, then what they
	 * share, and a session that comes in between stays.
	 */
	Target withoutSharedState() {
		this.store.changeState(this.name.user(), Map.of("u", RemovalMarker.REMOVED, "v", RemovalMarker.REMOVED));
		return this;
	}

	Precondition underLease() {
		return Precondition.NONE.under(this.lease);
	}

	/** All that is kept, but for times. */
	String whatIsLeft() {
		return session(this.name) + this.jdbc.queryForList(LEASE, String.class, ScopeKey.of(this.name)) + " fork "
				+ session(Sessions.sibling(this.name, FORK)) + " user "
				+ new TreeMap<>(this.store.state(this.name.user()));
	}

	private String session(SessionName one) {
		Optional<Session> session = this.store.find(one, EventWindow.ALL);
		return session
			.map((found) -> "revision %d, details %d, %s, %s, events %s".formatted(found.revision(),
					Integer.signum(found.version().detailsRevision()), found.details().displayName(),
					new TreeMap<>(found.state()),
					found.events().toList().stream().map((event) -> event.seq() + " " + event.id()).toList()))
			.orElse("no session");
	}

}

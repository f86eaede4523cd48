package dev.agentsessions.postgres.servers;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/**
 * Keeps the state of an app the same on all servers, so that a session is read on one
 * server. A change is stored on one server first, in the transaction of the event that
 * makes it, and then copied to the others before the caller gets an answer.
 *
 * <p>
 * Changes of one app wait for each other: a lock on the main server orders them. Before a
 * change, a row of {@code app_state_changes} says which keys it may change on which
 * server. The row stays until all servers have the values. If the replica or a server
 * goes away in between, the next change of the app, or a task of any replica, copies
 * them; until then, users on the other servers read the old values. While the main server
 * is away, the service refuses changes of the state of apps.
 */
@Component
@OnSeveralServers
class AppStateCopies implements SchedulingConfigurer, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(AppStateCopies.class);

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	/**
	 * By then, a write whose answer was lost has ended, by the clock of the main server.
	 */
	private static final String SURE = "since < statement_timestamp() - interval '2 minutes' as sure";

	private static final String BEGIN = """
			insert into app_state_changes (app_name, source, keys, missing) values (:app, :source, :keys, :missing)
			returning *,\s""" + SURE;

	private static final String NEWEST_FIRST = "select *, " + SURE
			+ " from app_state_changes where app_name = :app order by id desc";

	private static final String MISS = "update app_state_changes set missing = :missing where id = :id";

	private static final String END = "delete from app_state_changes where id = :id";

	private static final String APPS = "select distinct app_name from app_state_changes";

	private final Servers servers;

	private final MainLocks locks;

	private final Transactions transactions;

	private final JdbcClient jdbc;

	AppStateCopies(Servers servers, MainLocks locks, Transactions transactions, JdbcClient jdbc) {
		this.servers = servers;
		this.locks = locks;
		this.transactions = transactions;
		this.jdbc = jdbc;
	}

	/**
	 * Runs a write that may change state of an app on one server, and copies the changed
	 * keys to the others.
	 * @param owner whose state it changes: for a user, there is nothing to copy
	 * @param keys the keys, without prefix; empty for a write that changes none
	 * @throws SessionException.Unavailable if the main server does not answer, or the
	 * server lacks an earlier change of the app
	 */
	<T> T changing(StateOwner owner, Collection<String> keys, Server source, Supplier<T> write) {
		if (keys.isEmpty() || owner.userId() != null) {
			return write.get();
		}
		return this.locks.locked(numberOf(owner), (lock) -> {
			if (copyAll(owner, lock).stream().anyMatch((change) -> change.missing().contains(source.name()))) {
				throw new SessionException.Unavailable(
						"The server of the user lacks an earlier change of the state of the app. Please retry.");
			}
			Change change = begin(owner, keys, source);
			T result;
			try {
				result = write.get();
			}
			catch (SessionException.Unavailable ex) {
				// It may have happened, or may still happen, so the row stays
				throw ex;
			}
			catch (RuntimeException ex) {
				lock.sql(END).param("id", change.id()).update();
				throw ex;
			}
			copyNow(change, lock);
			return result;
		});
	}

	private static long numberOf(StateOwner app) {
		return ScopeKey.of(app).getLeastSignificantBits();
	}

	/** It is committed before the change begins. */
	private Change begin(StateOwner app, Collection<String> keys, Server source) {
		return this.transactions.write(() -> this.jdbc.sql(BEGIN)
			.param("app", app.appName())
			.param("source", source.name())
			.param("keys", keys.toArray(String[]::new))
			.param("missing", this.servers.except(source).stream().map(Server::name).toArray(String[]::new))
			.query(Change::of)
			.single());
	}

	/** The change is stored, so the caller gets its result whatever happens here. */
	private void copyNow(Change change, JdbcClient lock) {
		try {
			end(change, copy(change, Set.copyOf(change.keys())), lock);
		}
		catch (RuntimeException ex) {
			logger.warn("The change of the state of the app {} is on server {} only, and will be copied later: {}",
					change.app().appName(), change.source(), String.valueOf(ex));
		}
	}

	/**
	 * Copies what earlier changes have left. A key that a later one of them has, too, is
	 * copied from the server of the later one.
	 * @return the changes that some server still lacks, or may lack
	 */
	private List<Change> copyAll(StateOwner app, JdbcClient lock) {
		List<Change> left = new ArrayList<>();
		Set<String> later = new HashSet<>();
		for (Change change : lock.sql(NEWEST_FIRST).param("app", app.appName()).query(Change::of).list()) {
			Set<String> keys = new HashSet<>(change.keys());
			keys.removeAll(later);
			left.add(keys.isEmpty() ? change.missing(List.of()) : copyAgain(change, keys, lock));
			later.addAll(change.keys());
		}
		return left;
	}

	private Change copyAgain(Change change, Set<String> keys, JdbcClient lock) {
		List<String> missing = copy(change, keys);
		if (change.sure()) {
			end(change, missing, lock);
		}
		return change.missing(missing);
	}

	/** Ends a change if no server misses it, with the lock that has ordered it. */
	private static void end(Change change, List<String> missing, JdbcClient lock) {
		if (missing.isEmpty()) {
			lock.sql(END).param("id", change.id()).update();
		}
		else {
			lock.sql(MISS).param("missing", missing.toArray(String[]::new)).param("id", change.id()).update();
		}
	}

	/**
	 * Returns the servers that do not have the keys of a change yet. A server that the
	 * settings name no more had no users, and gets the whole state before it has some.
	 */
	private List<String> copy(Change change, Set<String> keys) {
		Map<String, JsonText> state = this.servers.named(change.source())
			.store(SessionService.Store.class)
			.state(change.app());
		Map<String, JsonText> values = new LinkedHashMap<>();
		keys.forEach((key) -> values.put(key, state.getOrDefault(key, RemovalMarker.REMOVED)));
		return change.missing()
			.stream()
			.filter(this.servers::has)
			.filter((server) -> !isTaken(this.servers.named(server), change.app(), values))
			.toList();
	}

	/**
	 * Writes what another server has accepted already. So the limit of its size, which
	 * each server measures at other moments, does not count.
	 */
	private static boolean isTaken(Server server, StateOwner app, Map<String, JsonText> values) {
		List<StateRow> rows = StateRow.of(app, values);
		StateWriter state = server.store(StateWriter.class);
		try {
			return server.store(Transactions.class).write(ScopeKey.of(app), () -> {
				state.upsert(rows);
				state.remove(rows);
				return true;
			});
		}
		catch (SessionException.Unavailable ex) {
			return false;
		}
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		tasks.addFixedDelayTask(new FixedDelayTask(this, INTERVAL, INTERVAL));
	}

	/** Copies what is left of all changes, as far as the servers answer. */
	@Override
	public void run() {
		try {
			this.transactions.statement(() -> this.jdbc.sql(APPS).query(String.class).list())
				.stream()
				.map((appName) -> new StateOwner(appName, null))
				.forEach(this::copyLeft);
		}
		catch (SessionException.Unavailable ex) {
			logger.debug("Changes of the state of apps are copied later", ex);
		}
	}

	/** An app whose state cannot be copied does not hold up the others. */
	private void copyLeft(StateOwner app) {
		try {
			this.locks.locked(numberOf(app), (lock) -> copyAll(app, lock));
		}
		catch (SessionException.Unavailable ex) {
			logger.debug("Changes of the state of the app {} are copied later", app.appName(), ex);
		}
		catch (RuntimeException ex) {
			logger.warn("Changes of the state of the app {} cannot be copied", app.appName(), ex);
		}
	}

	/**
	 * A change of the state of an app.
	 *
	 * @param source the server that stores it first
	 * @param keys the keys that it may change
	 * @param missing the servers that may not have it yet
	 * @param sure whether its write has ended, even if the answer was lost
	 */
	private record Change(long id, StateOwner app, String source, List<String> keys, List<String> missing,
			boolean sure) {

		static Change of(ResultSet row, int number) throws SQLException {
			return new Change(row.getLong("id"), new StateOwner(row.getString("app_name"), null),
					row.getString("source"), texts(row, "keys"), texts(row, "missing"), row.getBoolean("sure"));
		}

		private static List<String> texts(ResultSet row, String column) throws SQLException {
			return List.of((String[]) row.getArray(column).getArray());
		}

		Change missing(List<String> servers) {
			return new Change(this.id, this.app, this.source, this.keys, servers, this.sure);
		}

	}

}

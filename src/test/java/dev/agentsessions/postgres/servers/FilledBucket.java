package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Names;

/**
 * Users, and an app, whose keys are in one bucket, with rows in every table. Next to them
 * are users of the same apps in other buckets.
 */
final class FilledBucket {

	/** Keys of apps, and of users with nothing but state, of all tests. */
	private static final Set<UUID> everywhere = new HashSet<>();

	private final Http http;

	private final JdbcTemplate jdbc;

	private final int bucket;

	private final StateOwner alice;

	/** Has state and an artifact, and no session. */
	private final StateOwner bob;

	/** Has state and nothing else. */
	private final StateOwner idle;

	/** The user of another app, whose key is in another bucket. */
	private final StateOwner carol;

	private final UUID importing = UUID.randomUUID();

	FilledBucket(Http http, JdbcTemplate jdbc, int bucket) {
		this.http = http;
		this.jdbc = jdbc;
		this.bucket = bucket;
		String app = Names.appIn(bucket);
		String elsewhere = Names.appIn(bucket + 1);
		this.alice = userIn(bucket, app, "alice");
		this.bob = userIn(bucket, app, "bob");
		this.idle = userIn(bucket, app, "idle");
		this.carol = userIn(bucket, elsewhere, "carol");
		fill(this.alice);
		fill(this.carol);
		fill(userIn(bucket + 1, app, "neighbour"));
		fill(userIn(bucket - 1, elsewhere, "neighbour"));
		save(path(this.bob) + "/artifacts/user:map");
		addState(this.bob);
		addState(this.idle);
		beginImport();
		everywhere.addAll(List.of(ScopeKey.ofApp(app), ScopeKey.ofApp(elsewhere), idle()));
	}

	private static StateOwner userIn(int bucket, String app, String name) {
		return new StateOwner(app, Names.userIn(bucket, app, name + "-"));
	}

	private void fill(StateOwner user) {
		for (String session : List.of("one", "two")) {
			String path = path(user) + "/sessions/" + session;
			this.http.post(path,
					"""
							{"state": {"color": "red", "user:city": "Ulm", "app:greeting": "Gr\u00fc\u00df\\n \\u0000 \\\\N"}}""")
				.ok();
			this.http
				.post(path + "/events",
						"""
								{"id": "e1", "author": "model", "invocationId": "i", "longRunningToolIds": ["c1"], "content": {"parts": [
								  {"text": "a red\\thouse \\\\. \u00e4 \ud83c\udfe0"}, {"functionCall": {"id": "c1", "name": "ask", "args": {}}}]},
								  "actions": {"stateDelta": {"color": "blue"}}}""")
				.ok();
			save(path + "/artifacts/plan");
		}
		assertThat(this.http.post(path(user) + "/memories", "{\"text\": \"likes red\"}").status()).isEqualTo(201);
		this.http.get(path(user) + "/events:search?q=red").ok();
		save(path(user) + "/artifacts/user:map");
		UUID key = ScopeKey.of(user);
		this.jdbc.update("insert into forgotten (scope_key, same, until) values (?, 1, now())", key);
		this.jdbc.update("""
				insert into said_vectors (user_key, session_key, turn, model, v)
				select user_key, session_key, 1, 'm', '\\x00ff' from sessions where user_key = ?""", key);
	}

	private void save(String artifact) {
		this.http.send("PUT", artifact, BodyPublishers.ofString(artifact + "\0\n\t\\."), "Content-Type", "text/csv")
			.ok();
	}

	private void addState(StateOwner user) {
		this.jdbc.update("insert into state (scope_key, key, value) values (?, 'city', '\"Bonn\"')", ScopeKey.of(user));
	}

	/** An import has written rows, and its session is not there yet. */
	private void beginImport() {
		this.jdbc.update("insert into keys_to_sweep values (?, ?, now() + interval '1 day')", this.importing,
				ScopeKey.of(this.alice));
		this.jdbc.update("insert into initial_state values (?, 'color', '1')", this.importing);
		this.jdbc.update("insert into state values (?, 'color', '1')", this.importing);
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				values (?, 1, 'e1', now(), now(), 'user', 'i', 2, '{}')""", this.importing);
	}

	int bucket() {
		return this.bucket;
	}

	/** Returns the key of the app, which is in the bucket as well. */
	UUID app() {
		return ScopeKey.ofApp(this.alice.appName());
	}

	/** Returns the key of a user with everything. */
	UUID alice() {
		return ScopeKey.of(this.alice);
	}

	/** Returns the key of a user with state and nothing else. */
	UUID idle() {
		return ScopeKey.of(this.idle);
	}

	/**
	 * Returns the keys of a session, a user or an app that may have rows in the bucket.
	 */
	Set<UUID> owners() {
		Set<UUID> owners = new HashSet<>(keysThatStay());
		owners.add(this.importing);
		for (StateOwner user : List.of(this.alice, this.bob, this.carol)) {
			owners.add(ScopeKey.of(user));
			owners.addAll(this.jdbc.queryForList("select session_key from sessions where app_name = ? and user_id = ?",
					UUID.class, user.appName(), user.userId()));
		}
		return owners;
	}

	/** Returns the keys whose rows each server has. */
	static Set<UUID> everywhere() {
		return Set.copyOf(everywhere);
	}

	/** Returns the keys of what may be an app, whose rows also stay where they are. */
	Set<UUID> keysThatStay() {
		return Set.of(ScopeKey.ofApp(this.alice.appName()), ScopeKey.of(this.idle));
	}

	private static String path(StateOwner user) {
		return "/apps/" + user.appName() + "/users/" + user.userId();
	}

}

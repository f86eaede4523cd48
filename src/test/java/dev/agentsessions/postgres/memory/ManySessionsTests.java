package dev.agentsessions.postgres.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.memory.UserSessions.IndexedSession;
import dev.agentsessions.postgres.memory.UserSessions.SelectedSessions;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService.FoundTurns;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;

/**
 * A search of a user with many sessions takes few of them into memory, and forgets none.
 */
class ManySessionsTests extends SearchStoreTest {

	private static final int INDEXED = 3000;

	private static final int BEHIND = UserSessions.MAX_BEHIND + 60;

	@Autowired
	private UserSessions sessions;

	private final SessionName user = Sessions.newKey();

	/** Inserted sessions have no events. */
	@AfterEach
	void deleteSessions() {
		UUID userKey = ScopeKey.of(this.user.user());
		this.jdbc.update("delete from said_sessions where user_key = ? and words = -1", userKey);
		this.jdbc.update("delete from sessions where user_key = ? and display_name = 'inserted'", userKey);
	}

	@Test
	void returnsFewOfManySessionsAndCountsAll() {
		insert("indexed", INDEXED, 1, 0);
		insert("behind", BEHIND, 0, 3);
		SelectedSessions selected = this.sessions.of(this.user.user(), Filter.ALL, 100);
		assertThat(selected.sessions()).hasSize(UserSessions.MAX_BEHIND + 100);
		assertThat(selected.turns()).isEqualTo(INDEXED);
		assertThat(selected.missing()).isEqualTo(3L * BEHIND);
		assertThat(this.sessions.of(this.user.user(), Filter.ALL, 0).sessions()).hasSize(UserSessions.MAX_BEHIND)
			.allMatch((session) -> session.missing() == 3);
	}

	@Test
	void selectsOnlyWhatTheFilterIncludes() {
		insert("a", 3, 1, 0);
		insert("b", 2, 0, 1);
		assertThat(select(List.of("a1", "a3", "b2", "none"), "a3")).containsExactlyInAnyOrder(key("a1"), key("b2"));
		assertThat(select(List.of(), "a3")).hasSize(4).doesNotContain(key("a3"));
	}

	/** Another text may rank after a session has lost turns to a rewind. */
	@Test
	void selectsSettledSessionsAsIfTheOthersHadNoTurns() {
		insert("old", 5, 4, 0);
		insert("new", 1, 50, 1);
		this.jdbc.update("update sessions set last_update_time = now() + interval '1 hour' where session_key = ?",
				key("new1"));
		assertThat(select(List.of("old1", "old2", "old3", "old4", "old5", "new1"), null, 10))
			.containsExactly(key("new1"), key("old5"), key("old4"), key("old3"));
	}

	@Test
	void indexesAndFindsEachOfManySessions() {
		for (int number = 0; number < BEHIND; number++) {
			session(Sessions.sibling(this.user, "s" + number), "tulip");
		}
		FoundTurns found = search(this.user, "tulip");
		assertThat(found.missing()).isPositive();
		while (found.missing() > 0) {
			found = search(this.user, "tulip");
		}
		assertThat(this.sessions.of(this.user.user(), Filter.ALL, BEHIND).turns()).isEqualTo(BEHIND);
		assertThat(this.search.unsaid(this.user.user(), List.of("Tulip!", "rose"))).containsExactly("rose");
	}

	private List<UUID> select(List<String> ids, String exceptId) {
		return select(ids, exceptId, INDEXED);
	}

	private List<UUID> select(List<String> ids, String exceptId, int maxTurns) {
		return this.sessions.of(this.user.user(), new Filter(ids, exceptId, null, null, null, false), maxTurns)
			.sessions()
			.stream()
			.map(IndexedSession::key)
			.toList();
	}

	private UUID key(String id) {
		return this.jdbc.queryForObject("select session_key from sessions where app_key = ? and id = ?", UUID.class,
				ScopeKey.ofApp(this.user.appName()), id);
	}

	/** Inserts sessions that have indexed turns and further events. */
	private void insert(String prefix, int count, int turns, int missing) {
		UUID userKey = ScopeKey.of(this.user.user());
		this.jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision,
						  create_time, last_update_time, display_name)
						select gen_random_uuid(), gen_random_uuid(), ?, ?, ?, ?, ? || n, ?, now(), now() + n * interval '1 second',
						  'inserted'
						from generate_series(1, ?) as n
						""",
				ScopeKey.ofApp(this.user.appName()), userKey, this.user.appName(), this.user.userId(), prefix,
				turns + missing, count);
		this.jdbc.update("""
				insert into said_sessions (user_key, session_key, analysis, up_to_seq, checked_seq, turns, words)
				select user_key, session_key, ?, ?, ?, ?, -1 from sessions where user_key = ? and id ^@ ? and ? > 0
				""", this.analyses.of(this.user.appName()).version(), turns, turns, turns, userKey, prefix, turns);
	}

}

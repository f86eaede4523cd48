package dev.agentsessions.postgres.memory;

import java.util.UUID;

import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.Analyses;
import dev.agentsessions.search.SearchService.FoundTurns;
import dev.agentsessions.search.text.QueryReader;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;

/** Base of tests that search for a word in what was said. */
abstract class SearchStoreTest extends PostgresStoreTest {

	@Autowired
	protected SearchService.Store search;

	@Autowired
	protected Analyses analyses;

	/** Creates a session with an event for each text. */
	protected UUID session(SessionName name, String... texts) {
		UUID sessionKey = this.store.create(Sessions.empty(name)).sessionKey();
		for (String text : texts) {
			say(name, text);
		}
		return sessionKey;
	}

	protected void say(SessionName name, String text) {
		this.store.append(name, Events
			.append(Events.event("{\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"" + text + "\"}]}}")));
	}

	protected FoundTurns search(SessionName name, String word) {
		return this.search.search(new SearchQuery(MemoryScope.of(name.user()), word, true, Filter.ALL, 0, 10, 0, 0),
				QueryReader.query(this.analyses.of(name.appName()), word));
	}

	/** Returns the number of rows that a table has of a session. */
	protected int rows(String table, UUID sessionKey) {
		Integer count = this.jdbc.queryForObject("select count(*) from " + table + " where session_key = ?",
				Integer.class, sessionKey);
		return (count != null) ? count : -1;
	}

}

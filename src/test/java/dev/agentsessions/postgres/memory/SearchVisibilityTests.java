package dev.agentsessions.postgres.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactException;
import dev.agentsessions.search.FactService.NewFact;
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

/** A search at any replica finds each event that was acknowledged before it began. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchVisibilityTests extends PostgresStoreTest {

	private static final int USERS = 4;

	private static final int WRITERS = 8;

	/** {@code -Dsearch.events=3200} checks a larger number of searches. */
	private static final int EVENTS_OF_WRITER = Integer.getInteger("search.events", 800) / WRITERS;

	@Autowired
	private SearchService.Store search;

	@Autowired
	private FactService.Store facts;

	@Autowired
	private Analyses analyses;

	private ConfigurableApplicationContext replica;

	@BeforeAll
	void startsAnotherReplica(@Autowired JdbcConnectionDetails server) {
		this.replica = new SpringApplicationBuilder(AgentSessionsApplication.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + server.getJdbcUrl(),
					"--spring.datasource.username=" + server.getUsername(),
					"--spring.datasource.password=" + server.getPassword());
	}

	@AfterAll
	void endsTheOtherReplica() {
		this.replica.close();
	}

	@Test
	void findsWhatWasAcknowledgedBeforeAtEitherReplica() throws Exception {
		List<SearchService.Store> replicas = List.of(this.search, this.replica.getBean(SearchService.Store.class));
		List<SessionName> users = Concurrently.run(USERS, (user) -> Sessions.newKey());
		List<SessionName> sessions = Concurrently.run(WRITERS, (writer) -> {
			SessionName session = Sessions.sibling(users.get(writer % USERS), "s" + writer);
			this.store.create(Sessions.empty(session));
			return session;
		});
		List<Integer> found = Concurrently.run(WRITERS, (writer) -> {
			int hits = 0;
			for (int number = 0; number < EVENTS_OF_WRITER; number++) {
				String word = "word" + writer + "x" + number;
				this.store.append(sessions.get(writer), Events.append(Events
					.event("{\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"tulip %s\"}]}}".formatted(word))));
				hits += hits(replicas.get((writer + number) % 2), sessions.get(writer), word);
			}
			return hits;
		});
		assertThat(found).containsOnly(EVENTS_OF_WRITER);
	}

	@Test
	void limitsTheFactsOfAUserOverAllReplicas() throws Exception {
		MemoryScope scope = MemoryScope.of(Sessions.newKey().user());
		this.jdbc.update(
				"insert into memories (scope_key, id, create_time, update_time, said_at, author, analysis, words, same,"
						+ " tokens, body) select ?, 'n' || n, now(), now(), now(), '', 0, 0, n, '', '{}'"
						+ " from generate_series(1, ?) as n",
				ScopeKey.of(scope), FactService.Store.MAX_FACTS - 1);
		List<FactService.Store> replicas = List.of(this.facts, this.replica.getBean(FactService.Store.class));
		List<Boolean> created = Concurrently.run(WRITERS, (writer) -> isCreated(replicas.get(writer % 2), scope));
		assertThat(created).containsOnlyOnce(true);
		assertThat(this.facts.count(scope)).isEqualTo(FactService.Store.MAX_FACTS);
	}

	private static boolean isCreated(FactService.Store replica, MemoryScope scope) {
		try {
			return replica
				.create(scope,
						new NewFact(UUID.randomUUID().toString(),
								FactBody.of(JsonObject.parse("{\"text\":\"likes tea\"}")), null))
				.isNew();
		}
		catch (FactException.TooMany ex) {
			return false;
		}
	}

	/** A search that reports missing events is repeated. */
	private int hits(SearchService.Store store, SessionName session, String word) {
		FoundTurns found = FoundTurns.NONE;
		do {
			found = store.search(new SearchQuery(MemoryScope.of(session.user()), word, true, Filter.ALL, 0, 10, 0, 0),
					QueryReader.query(this.analyses.of(session.appName()), word));
		}
		while (found.turns().isEmpty() && found.missing() > 0);
		return found.turns().size();
	}

}

package dev.agentsessions.adk.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.console.PageVisitor;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.postgres.StatementRecorder.Recorded;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** No app is searched, so nothing is indexed, and every route says why. */
@HttpTest
@TestPropertySource(properties = "agent-sessions.search.apps=")
@Import(StatementRecorder.class)
class SearchOffTests {

	private static final String SETTING = "agent-sessions.search.apps";

	private final Api api;

	private final PageVisitor visitor;

	SearchOffTests(Http http) {
		this.api = new Api(http);
		this.visitor = new PageVisitor(http.port());
	}

	@Test
	void refusesEachRequestAndTouchesNoTable() {
		List<Recorded> statements = StatementRecorder.record(() -> {
			this.api.create("s1", "{}").ok();
			this.api.append("s1", "{'author': 'user', 'content': {'parts': [{'text': 'tulips'}]}}").ok();
			assertRefused(this.api.http().get(this.api.userPath() + "/events:search?q=tulips"));
			assertRefused(this.api.http().post(this.api.userPath() + "/events:search", "{\"q\":\"tulips\"}"));
			assertRefused(this.api.http().patch(this.api.userPath() + "/memory", "{\"sessionId\":\"s1\"}"));
			assertRefused(this.api.http().post(this.api.appPath() + ":reindex", ""));
		});
		assertThat(statements).isNotEmpty()
			.noneSatisfy((statement) -> assertThat(statement.sql()).containsPattern("\\b(said\\w*|forgotten)\\b"));
	}

	@Test
	void keepsFacts() {
		assertThat(
				this.api.http().post(this.api.userPath() + "/memories", "{\"id\":\"f\",\"text\":\"tulips\"}").status())
			.isEqualTo(201);
		assertThat(this.api.http().get(this.api.userPath() + "/memories/f").ok().text("/text")).isEqualTo("tulips");
		assertThat(this.api.http().delete(this.api.userPath() + "/memories/f").status()).isEqualTo(204);
	}

	@Test
	void showsNoFormInTheConsole() {
		this.api.create("s1", "{}").ok();
		for (String page : List.of(this.api.appPath(), this.api.userPath(), this.api.sessionPath("s1"))) {
			Answer answer = this.visitor.get("/console" + page);
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.body()).doesNotContain("/search");
			assertThat(this.visitor.get("/console" + page + "/search?q=tulips").body()).contains(SETTING)
				.contains("Status 400");
		}
		assertThat(this.visitor.get("/console" + this.api.userPath() + "/facts").status()).isEqualTo(200);
	}

	private static void assertRefused(Answer answer) {
		assertThat(answer.problem(400, "INVALID_ARGUMENT").body()).contains(SETTING);
	}

}

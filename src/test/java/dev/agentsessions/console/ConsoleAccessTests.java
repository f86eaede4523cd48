package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;
import dev.agentsessions.support.Answer;

/** Who sees what in the console where people have to say who they are. */
public class ConsoleAccessTests extends SecuredServiceTest {

	private static final String SESSION = "/console/apps/shop/users/ann/sessions/s1";

	private static final String COOKIE = "agent-sessions-console";

	@Autowired
	private JdbcTemplate jdbc;

	private PageVisitor visitor;

	@BeforeEach
	void makesASession() {
		this.visitor = new PageVisitor(port());
		call("POST", "/apps/shop/users/ann/sessions/s1")
			.json("{\"events\":[{\"id\":\"e1\",\"author\":\"a\",\"invocationId\":\"i\",\"longRunningToolIds\":[\"c1\"],"
					+ "\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"c1\",\"name\":\"buy\"}}]}}]}")
			.as(Keys.AGENT)
			.send();
		call("POST", "/apps/shop/users/ann/memories").json("{\"id\":\"tea\",\"text\":\"Likes tea\"}")
			.as(Keys.AGENT)
			.send();
		call("POST", "/apps/shop/users/ann/sessions/s1/artifacts")
			.json("{\"filename\":\"f\",\"artifact\":{\"text\":\"Tea\"}}")
			.as(Keys.AGENT)
			.send();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/console", "/console/apps/shop", "/console/apps/shop/users", SESSION, SESSION + "/state",
			SESSION + "/events/e1/json", SESSION + "/compare", SESSION + "/download", "/console/apps/shop/sessions.csv",
			"/console/apps/shop/users.csv", SESSION + "/watch?after=0", SESSION + "/pending", "/console/nowhere",
			SESSION + "/delete", SESSION + "/search?q=x", "/console/apps/shop/users/ann/search?q=x",
			"/console/apps/shop/search?q=x", "/console/apps/shop/users/ann/facts", SESSION + "/artifacts",
			SESSION + "/artifacts/one?name=f", SESSION + "/artifacts/content?name=f&version=0" })
	void asksWhoIsThere(String path) {
		Answer answer = this.visitor.get(path);
		assertThat(answer.status()).isEqualTo(401);
		assertThat(answer.body()).contains("API key or token").doesNotContain("Sign out");
	}

	@ParameterizedTest
	@MethodSource
	void showsEachVisitorWhatIsTheirs(String credentials, int app, int user, int session, int change) {
		assertThat(this.visitor.signIn(credentials).status()).isEqualTo(303);
		assertThat(this.visitor.get("/console").body()).contains("Sign out");
		assertThat(this.visitor.get("/console/apps/shop?order=time").body().contains("/users/ann/sessions/s1"))
			.isEqualTo(app == 200);
		assertThat(this.visitor.get("/console/apps/shop").body().contains("All users")).isEqualTo(app == 200);
		assertThat(this.visitor.get("/console/apps/bank").status())
			.isEqualTo(credentials.equals(Keys.FOREIGN_APP.key()) ? 200 : 403);
		assertThat(this.visitor.get("/console/apps/shop/users").status()).isEqualTo(app);
		for (String page : new String[] { "", "/search?q=x", "/facts", "/sessions/s1/search?q=x" }) {
			assertThat(this.visitor.get("/console/apps/shop/users/ann" + page).status()).as(page).isEqualTo(user);
		}
		assertThat(this.visitor.get("/console/apps/shop/users/ann/facts").body().contains("/facts/forget\""))
			.isEqualTo(change == 200);
		assertThat(this.visitor.get("/console/apps/shop?tool=buy").body().contains("?at=1#event-1"))
			.isEqualTo(app == 200);
		assertThat(this.visitor.get("/console/apps/shop/users/ann?tool=buy").status()).isEqualTo(user);
		assertThat(this.visitor.get("/console/apps/shop/users/ann?label=x").status())
			.isEqualTo((user == 200) ? 400 : user);
		assertThat(this.visitor.get("/console/apps/shop/users/ann/sessions.csv").status()).isEqualTo(user);
		for (String list : new String[] { "/sessions.csv", "/users.csv" }) {
			assertThat(this.visitor.get("/console/apps/shop" + list).status()).as(list).isEqualTo(app);
		}
		assertThat(this.visitor.get("/console/apps/shop/usage").status()).isEqualTo(app);
		assertThat(this.visitor.get("/console/apps/shop/usage?by=user").status()).isEqualTo(app);
		assertThat(this.visitor.get("/console/apps/shop/failures").status()).isEqualTo(app);
		assertThat(this.visitor.get("/console/apps/shop/week").status()).isEqualTo(app);
		for (String query : new String[] { "", "?q=x" }) {
			assertThat(this.visitor.get("/console/apps/shop/search" + query).status()).as(query).isEqualTo(app);
		}
		assertThat(this.visitor.get("/console/apps/shop/users/ann/erase").status()).isEqualTo(app);
		assertThat(this.visitor.get("/console/apps/shop/delete-sessions?prefix=none").status()).isEqualTo(app);
		assertThat(this.visitor.get("/console/apps/shop/users/ann/delete-sessions?prefix=none").status())
			.isEqualTo((user == 403) ? 403 : change);
		assertThat(this.visitor.get("/console/apps/shop/users/ann/usage").status()).isEqualTo(user);
		for (String page : new String[] { "", "/state", "/events/e1", "/events/e1/json", "/state/json", "/tail?after=0",
				"/pending", "/watch?after=0", "/compare", "/compare?with=s1", "/download", "/usage", "/artifacts",
				"/artifacts/one?name=f", "/artifacts/content?name=f&version=0" }) {
			assertThat(this.visitor.get(SESSION + page).status()).as(page).isEqualTo(session);
		}
		assertThat(this.visitor.get(SESSION).body().contains("/delete\"")).isEqualTo(change == 200);
		for (String page : new String[] { "/delete", "/fork", "/rewind" }) {
			assertThat(this.visitor.get(SESSION + page).status()).as(page).isEqualTo(change);
		}
		assertThat(this.visitor.get(SESSION + "/answer?seq=1&call=c1").status()).isEqualTo(change);
		assertThat(this.visitor.get(SESSION).body().contains("/answer?")).isEqualTo(change == 200);
	}

	static Stream<Object[]> showsEachVisitorWhatIsTheirs() {
		return Stream.of(new Object[] { Keys.READER.key(), 403, 200, 200, 403 },
				new Object[] { Keys.AGENT.key(), 403, 200, 200, 200 },
				new Object[] { Keys.ADMINISTRATOR.key(), 200, 200, 200, 200 },
				new Object[] { Keys.FOREIGN_APP.key(), 403, 403, 403, 403 },
				new Object[] { Tokens.of("ann"), 403, 200, 200, 200 },
				new Object[] { Tokens.of("bob"), 403, 403, 404, 404 },
				new Object[] { Tokens.ofAdministrator("root"), 200, 200, 200, 200 });
	}

	@ParameterizedTest
	@ValueSource(strings = { "/search/forget", "/sessions/s1/search/forget", "/facts/forget" })
	void forgetsNothingForCallersThatMayNotWrite(String form) {
		for (String credentials : new String[] { Keys.READER.key(), Tokens.of("bob"), Keys.FOREIGN_APP.key() }) {
			PageVisitor other = new PageVisitor(port());
			other.signIn(credentials);
			assertThat(other.submit("/console", "/console/apps/shop/users/ann" + form, "id", "tea").status())
				.isEqualTo(403);
		}
		assertThat(call("GET", "/apps/shop/users/ann/memories/tea").as(Keys.AGENT).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/delete", "/fork", "/rewind?invocation=i" })
	void takesNoFormFromAReader(String change) {
		this.visitor.signIn(Keys.READER.key());
		Answer answer = this.visitor.submit("/console", SESSION + change, "sessionKey",
				"00000000-0000-0000-0000-000000000001", "revision", "1", "updated", "2026-01-01T00:00:00Z");
		assertThat(answer.status()).isEqualTo(403);
		assertThat(answer.body()).contains("Your role does not permit this");
	}

	@Test
	void tellsAMetricsKeyWhatItMaySee() {
		assertThat(this.visitor.signIn(Keys.METRICS.key()).status()).isEqualTo(303);
		Answer answer = this.visitor.get("/console");
		assertThat(answer.status()).isEqualTo(403);
		assertThat(answer.body()).contains("The role metrics reads /actuator/prometheus", "Sign out");
	}

	@Test
	void keepsTheKeyWhereNoScriptAndNoOtherPlaceReadsIt() {
		Answer answer = this.visitor.signIn(Keys.AGENT.key());
		assertThat(answer.headers().allValues("Set-Cookie")).anySatisfy((cookie) -> assertThat(cookie)
			.matches("agent-sessions-console=[\\w-]+; Path=/console; Max-Age=43200; .*HttpOnly; SameSite=Strict"));
		String value = this.visitor.cookies().get("agent-sessions-console");
		assertThat(value).doesNotContain(Keys.AGENT.key());
		assertThat(call("GET", "/list-apps").header("Cookie", "agent-sessions-console=" + value).status())
			.isEqualTo(401);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "AAAA", "%%%", "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB" })
	void takesNoCookieThatItHasNotMade(String value) {
		this.visitor.cookies().put("agent-sessions-console", value);
		assertThat(this.visitor.get(SESSION).status()).isEqualTo(401);
	}

	@Test
	void takesNoCookieThatSomebodyHasChanged() {
		this.visitor.signIn(Keys.AGENT.key());
		Map<String, String> cookies = this.visitor.cookies();
		String value = cookies.get("agent-sessions-console");
		for (int i = 0; i < value.length(); i += 7) {
			char other = (value.charAt(i) == 'A') ? 'B' : 'A';
			cookies.put("agent-sessions-console", value.substring(0, i) + other + value.substring(i + 1));
			assertThat(this.visitor.get(SESSION).status()).isEqualTo(401);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "as_guessed", "", "  ", "a b", "\u00e4", "x.y.z" })
	void letsNobodyInWithTheWrongKey(String credentials) {
		Answer answer = this.visitor.signIn(credentials);
		assertThat(answer.status()).isEqualTo(401);
		assertThat(answer.body()).contains("API key or token");
		assertThat(this.visitor.cookies()).doesNotContainKey("agent-sessions-console");
	}

	@Test
	void saysThatATokenIsTooLong() {
		assertThat(this.visitor.signIn("x".repeat(3000)).body()).contains("2900 characters");
	}

	@Test
	void staysSignedOut() {
		this.visitor.signIn(Keys.AGENT.key());
		assertThat(this.visitor.submit("/console", "/console/sign-out").header("Location")).hasValue("/console");
		assertThat(this.visitor.get(SESSION).status()).isEqualTo(401);
	}

	/** What is not signed out of the same credentials still is. */
	@Test
	void takesNoCookieThatWasSignedOutAtWhicheverReplica() {
		this.visitor.signIn(Keys.AGENT.key());
		String other = this.visitor.cookies().get(COOKIE);
		this.visitor.signIn(Keys.AGENT.key());
		String cookie = this.visitor.cookies().get(COOKIE);
		this.visitor.submit("/console", "/console/sign-out");
		for (String spelling : List.of(cookie, cookie + "=", cookie)) {
			assertThat(withCookie(spelling)).isEqualTo(401);
		}
		assertThat(withCookie(other)).isEqualTo(200);
		assertThat(this.jdbc.queryForList("select encode(cookie, 'hex') from signed_out_cookies", String.class))
			.isNotEmpty()
			.doesNotContain(cookie);
		this.jdbc.update("delete from signed_out_cookies");
		assertThat(withCookie(cookie)).as("only the database knows").isEqualTo(200);
	}

	private int withCookie(String value) {
		this.visitor.cookies().put(COOKIE, value);
		return this.visitor.get(SESSION).status();
	}

	@ParameterizedTest
	@CsvSource({ "/console/apps/shop?name=x, /console/apps/shop?name=x", "https://evil.example, /console",
			"//evil.example, /console", "/console//evil.example, /console//evil.example",
			"/console\\evil.example, /console", "/console/../..//evil.example, /console",
			"/console/x/%2E./apps, /console", "/console/.x, /console/.x", "/consoles, /console", "/apps, /console",
			"'/console/ x', /console" })
	void leadsToNoOtherPlaceThanTheConsole(String wanted, String place) {
		Answer answer = this.visitor.submit("/console", "/console/sign-in", "credentials", Keys.AGENT.key(), "page",
				wanted);
		assertThat(answer.header("Location")).hasValue(place);
	}

	@Test
	void leadsBackToThePageThatWasAskedFor() {
		assertThat(this.visitor.get("/console/apps/shop?name=%22%3E").body())
			.contains("name=\"page\" value=\"/console/apps/shop?name=%22%3E\"");
	}

	@Test
	void signsNobodyInFromElsewhere() {
		assertThat(this.visitor.post("/console/sign-in", "credentials=" + Keys.AGENT.key()).status()).isEqualTo(403);
		assertThat(this.visitor
			.post("/console/sign-in", "credentials=" + Keys.AGENT.key(), "Origin", "https://evil.example")
			.status()).isEqualTo(403);
		assertThat(this.visitor.post("/console/sign-out", "").status()).isEqualTo(403);
	}

	@Test
	void leadsToTheConsoleWhoeverAsks() {
		assertThat(this.visitor.get("/").header("Location"))
			.hasValueSatisfying((place) -> assertThat(place).endsWith("/console"));
		assertThat(call("GET", "/").bearer("as_guessed").send().body()).contains("UNAUTHENTICATED");
	}

	@Test
	void servesTheFilesOfTheFormToEverybody() {
		this.visitor.cookies().put("agent-sessions-console", "x");
		assertThat(this.visitor.get("/console/static/console.css").status()).isEqualTo(200);
	}

	@Test
	void takesAKeyThatAProxyHasAdded() {
		assertThat(this.visitor.get(SESSION, "Authorization", "Bearer " + Keys.READER.key()).status()).isEqualTo(200);
	}

}

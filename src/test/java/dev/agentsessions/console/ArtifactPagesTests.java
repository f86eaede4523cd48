package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** The pages of the artifacts of a session. */
@HttpTest
class ArtifactPagesTests {

	private static final String HTML = "<!doctype html><script>alert(1)</script>";

	private final Http http;

	private final PageVisitor visitor;

	private final String session = "/apps/app-" + UUID.randomUUID() + "/users/alice/sessions/s1";

	ArtifactPagesTests(Http http) {
		this.http = http;
		this.visitor = new PageVisitor(http.port());
	}

	@BeforeEach
	void makeSession() {
		this.http.post(this.session, "{}").ok();
	}

	@Test
	void leadsFromTheSessionToAVersionAndToTheEventThatSavedIt() {
		append("{'author': 'a'}");
		save("plan/a b.txt", "text/plain", "First plan");
		append("{'author': 'other'}");
		append("{'author': 'planner', 'actions': {'artifactDelta': {'plan/a b.txt': 0}}}");
		save("plan/a b.txt", "text/plain", "Second plan");
		save("user:photo", "image/png", "x");
		assertThat(PageVisitor.links(page(""))).contains(console("/artifacts"), one("plan/a b.txt") + "&version=0");
		assertThat(page("/tail?after=2").body()).contains("<span>version 0</span>");
		Answer list = page("/artifacts");
		assertThat(list.body()).contains("<bdi>plan/a b.txt</bdi>", "<bdi>user:photo</bdi>", "<bdi>image/png</bdi>");
		assertThat(PageVisitor.links(list)).contains(one("plan/a b.txt") + "&version=1");
		Answer first = this.visitor.get(one("plan/a b.txt") + "&version=0");
		assertThat(first.body()).contains("<pre dir=\"auto\">First plan</pre>",
				"event <span>3</span> by <bdi>planner</bdi>");
		assertThat(PageVisitor.links(first)).contains(console("?at=3#event-3"));
		assertThat(this.visitor.get(one("plan/a b.txt")).body()).contains("Second plan").doesNotContain("Saved by");
		assertThat(this.visitor.get(one("user:photo")).body())
			.contains("<img src=\"" + content("user:photo").replace("&", "&amp;"))
			.doesNotContain("Saved by");
	}

	@ParameterizedTest
	@CsvSource({ "text/html, application/octet-stream, attachment",
			"image/svg+xml, application/octet-stream, attachment",
			"application/xhtml+xml, application/octet-stream, attachment",
			"application/pdf, application/pdf, attachment", "image/png, image/png, inline",
			"audio/mpeg, audio/mpeg, inline" })
	void runsNothingThatWasStored(String type, String served, String disposition) {
		save("f", type, HTML);
		Answer content = this.visitor.get(content("f") + "0");
		assertThat(content.status()).isEqualTo(200);
		assertThat(content.header("Content-Type")).hasValue(served);
		assertThat(content.header("Content-Disposition")).hasValue(disposition);
		assertThat(content.header("X-Content-Type-Options")).hasValue("nosniff");
		assertThat(content.header("Content-Security-Policy")).hasValue("default-src 'none'; sandbox");
		assertThat(content.body()).isEqualTo(HTML);
		assertThat(this.visitor.get(content("f") + "0", "If-None-Match", content.etag()).status()).isEqualTo(304);
		assertThat(this.visitor.get(content("f") + "0", "Range", "bytes=1-8").body()).isEqualTo("!doctype");
		assertThat(this.visitor.get(one("f")).body()).doesNotContain("<script>alert");
	}

	@Test
	void showsTheBeginningOfALongTextWithoutHalfACharacter() {
		save("long", "text/plain; charset=utf-8", "x" + "\u00e4".repeat(600_000));
		String page = this.visitor.get(one("long")).body();
		assertThat(page).contains("\u00e4</pre>", "These are the first 64 KB").doesNotContain("\ufffd");
		assertThat(page.length()).isLessThan(50_000);
	}

	@Test
	void listsPagesOfNames() {
		for (int number = 10; number < 61; number++) {
			save("n" + number, "text/plain", "x");
		}
		Answer first = page("/artifacts");
		assertThat(first.body()).contains("n59").doesNotContain("n60");
		assertThat(PageVisitor.links(first)).contains(console("/artifacts?after=n59"));
		assertThat(page("/artifacts?after=n59").body()).contains("n60").doesNotContain("Next page");
	}

	@ParameterizedTest
	@CsvSource({ "/artifacts/one, 400", "/artifacts/one?name=none, 404", "/artifacts/one?name=f&version=7, 404",
			"/artifacts/one?name=f&version=-1, 404", "/artifacts/one?name=f&version=x, 400",
			"/artifacts/one?name=..%2Ff, 400", "/artifacts/content?name=f&version=7, 404",
			"/artifacts/content?name=elsewhere&version=0, 404", "/artifacts/one?name=a%00b, 400",
			"/artifacts?after=a%00b, 400" })
	void refusesWhatThereIsNot(String path, int status) {
		save("f", "text/plain", "x");
		this.http
			.post(this.session + "/artifacts",
					Json.of("{'filename': 'elsewhere', 'artifact': {'fileData': {'fileUri': 'gs://b/f'}}}"))
			.ok();
		assertThat(this.visitor.get(console(path)).status()).isEqualTo(status);
		assertThat(page("/artifacts/one?name=elsewhere").body()).contains("Refers to <bdi>gs://b/f</bdi>");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/artifacts", "/artifacts/one?name=f" })
	void hasNoPageWithoutTheSession(String path) {
		assertThat(this.visitor.get(console(path).replace("/s1/", "/s2/")).status()).isEqualTo(404);
	}

	@Test
	void showsNoNumberThatIsNone() {
		append("{'author': 'a', 'actions': {'artifactDelta': {'g': -1, 'i': 99999999999}}}");
		append("{'author': 'a', 'actions': {'artifactDelta': {'<b>': 2}}}");
		assertThat(page("").body()).contains("<bdi>&lt;b&gt;</bdi> <span>version 2</span>")
			.doesNotContain("<bdi>g</bdi>", "<bdi>i</bdi>");
	}

	private void save(String name, String type, String text) {
		this.http
			.send("PUT", this.session + "/artifacts/" + PageVisitor.encode(name), BodyPublishers.ofString(text),
					"Content-Type", type)
			.ok();
	}

	private void append(String event) {
		this.http.post(this.session + "/events", Json.of(event)).ok();
	}

	private Answer page(String path) {
		Answer page = this.visitor.get(console(path));
		assertThat(page.status()).as(path).isEqualTo(200);
		return page;
	}

	private String one(String name) {
		return console("/artifacts/one?name=" + PageVisitor.encode(name));
	}

	/** The number of the version follows. */
	private String content(String name) {
		return console("/artifacts/content?name=" + PageVisitor.encode(name) + "&version=");
	}

	private String console(String path) {
		return "/console" + this.session + path;
	}

}

package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;
import dev.agentsessions.support.Json;

/** How the pages show what senders have written, in a real browser. */
class ReadingBrowserTests extends BrowserTest {

	private static final String HOSTILE = "# x\\n[a](javascript:alert(1)) [b](data:text/html,x) ![c](https://evil.example/c.png)"
			+ " <img src=x onerror=\\\"document.title='broken'\\\"><script>document.title='broken'</script> {{7*7}}";

	private static final String STATE_IN_VIEW = "const heading = document.getElementById('state').getBoundingClientRect();"
			+ "return heading.top >= 0 && heading.bottom <= window.innerHeight";

	@Test
	void showsEscapedCharactersAndTheirEscapes() {
		send("", "s1", "{\"state\": {\"month\": \"\\u5148\\u6708\"}}");
		send("/events", "s1", "{\"id\": \"e1\", \"author\": \"a\", \"content\": {\"parts\": [{\"functionCall\":"
				+ " {\"name\": \"f\", \"args\": {\"x\": \"\\u8ab0\"}}}]}}");
		signIn(Keys.READER, session("s1"));
		this.browser.await("there from the beginning");
		assertThat(this.browser.text()).contains("\u5148\u6708").doesNotContain("\\u5148");
		this.browser.clickOn(".more > summary");
		this.browser.follow("Show it as stored");
		this.browser.await("there from the beginning");
		assertThat(this.browser.text()).contains("\\u5148\\u6708").doesNotContain("\u5148");
		this.browser.clickOn("#event-1 details.call summary");
		this.browser.await("\\u8ab0");
		this.browser.clickOn("#event-1 .menu > summary");
		this.browser.clickOn("#event-1 details.raw summary");
		this.browser.await("All of it, as it is stored");
		assertThat(this.browser.find("#event-1 .json").getText()).contains("\\u8ab0");
		this.browser.clickOn(".more > summary");
		this.browser.follow("Show it readable");
		this.browser.open(session("s1") + "/events/e1");
		assertThat(this.browser.text()).contains("\u8ab0");
		checkPages(List.of(session("s1"), session("s1") + "?as=stored", session("s1") + "/events/e1",
				session("s1") + "/events/e1?as=stored", session("s1") + "/state?as=stored"));
	}

	@Test
	void rendersMarkdownOfModelsAndNotOfUsers() {
		create("s1", "{}");
		append("s1", "{'author': 'user', 'content': {'parts': [{'text': 'I *like* trains'}]}}");
		append("s1", "{'author': 'planner', 'content': {'parts': [{'text': '## Plan\\n- by **train**\\n\\n"
				+ "[more](https://example.com/)\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |'}, {'text': 'I *guess*', 'thought': true}]}}");
		signIn(Keys.READER, session("s1"));
		this.browser.await("I *like* trains");
		assertThat(this.browser.find("#event-2 .markdown strong").getText()).isEqualTo("train");
		assertThat(this.browser.find("#event-2 .markdown a").getDomAttribute("rel")).contains("noopener");
		checkPages(List.of(session("s1"), session("s1") + "?as=stored"));
		this.browser.open(session("s1") + "?as=stored");
		assertThat(this.browser.text()).contains("- by **train**");
	}

	@Test
	void showsHostileMarkdownAsText() {
		create("s1", "{}");
		send("/events", "s1",
				Json.of("""
						{'author': 'planner', 'content': {'parts': [{'text': %1$s}, {'text': %1$s, 'thought': true},
						{'inlineData': {'mimeType': 'audio/x', 'displayName': %1$s, 'data': 'AAAA'}}]}, 'actions': {'compaction':
						{'startTimestamp': 1, 'endTimestamp': 0, 'compactedContent': {'parts': [{'text': %1$s}]}}}}""")
					.formatted('"' + HOSTILE + '"'));
		signIn(Keys.READER, session("s1"));
		this.browser.await("Image: c");
		assertThat(this.browser.title()).doesNotContain("broken");
		assertThat(this.browser.findAll("main img, main script, a[href^=javascript], a[href^=data]")).isEmpty();
		assertThat(this.browser.text()).contains("{{7*7}}", "(javascript:alert(1))");
		checkPages(List.of(session("s1"), session("s1") + "?as=stored", session("s1") + "?view=context"));
	}

	@Test
	void playsAudioAndNamesPictures() {
		create("s1", "{}");
		append("s1",
				"{'author': 'a', 'content': {'parts': [{'inlineData': {'mimeType': 'audio/wav', 'displayName': 'Call', 'data': '"
						+ wav() + "'}}, {'inlineData': {'mimeType': 'image/gif', 'displayName': 'A dot', 'data': "
						+ "'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'}}, {'inlineData': {'mimeType': "
						+ "'application/pdf', 'displayName': 'Bill.pdf', 'data': 'JVBERi0='}}]}}");
		signIn(Keys.READER, session("s1"));
		this.browser.await("Bill.pdf");
		this.browser.script("window.played = 0; const a = document.querySelector('audio');"
				+ "a.addEventListener('loadeddata', () => document.title = 'loaded ' + a.duration.toFixed(1)); a.load(); a.preload = 'auto';");
		this.browser.awaitTitle("loaded 0.5");
		assertThat(this.browser.find("figure img").getDomAttribute("alt")).isEqualTo("A dot");
		assertThat(this.browser.text()).contains("A dot", "image/gif");
		checkPages(List.of(session("s1")));
	}

	@Test
	void marksWhatTheModelDoesNotSee() {
		create("s1", "{}");
		append("s1",
				"{'author': 'user', 'invocationId': 'one', 'timestamp': 100, 'content': {'parts': [{'text': 'old.'}]}}");
		append("s1",
				"{'author': 'a', 'invocationId': 'one', 'timestamp': 200, 'actions': {'compaction': {'startTimestamp': 100,"
						+ " 'endTimestamp': 100, 'compactedContent': {'role': 'model', 'parts': [{'text': 'They *met*.'}]}}}}");
		append("s1",
				"{'author': 'user', 'invocationId': 'two', 'timestamp': 300, 'content': {'parts': [{'text': 'taken back.'}]}}");
		append("s1",
				"{'author': 'user', 'invocationId': 'three', 'timestamp': 400, 'actions': {'rewindBeforeInvocationId': 'two'}}");
		append("s1",
				"{'author': 'user', 'invocationId': 'four', 'timestamp': 500, 'content': {'parts': [{'text': 'new.'}]}}");
		signIn(Keys.READER, session("s1"));
		this.browser.await("new.");
		assertThat(this.browser.findAll(".left-out").stream().map((event) -> event.getDomAttribute("id")))
			.containsExactly("event-1", "event-3", "event-4");
		assertThat(this.browser.text()).contains("A summary of the events from 1970-01-01 00:01:40", "They met.");
		this.browser.follow("Show what the model sees");
		this.browser.await("What the model sees");
		assertThat(this.browser.text()).contains("They met.", "new.").doesNotContain("old.", "taken back.");
		this.browser.open(session("s1") + "?at=3&view=context");
		assertThat(this.browser.text()).contains("What the model saw right after event 3", "taken back.")
			.doesNotContain("new.");
		checkPages(List.of(session("s1"), session("s1") + "?view=context", session("s1") + "?at=3&view=context"));
	}

	@Test
	void marksFailuresListsForksAndFoldsLongValues() {
		create("s1", Json.of("{'state': {'long': '%s'}}".formatted("long ".repeat(200))));
		append("s1",
				"{'author': 'a', 'content': {'parts': [{'functionResponse': {'name': 'f', 'response': {'error': 'No train'}}}]}}");
		append("s1", "{'author': 'a', 'content': {'parts': [{'text': '%s'}]}}".formatted("word ".repeat(1000)));
		send(":fork", "s1", "{\"sessionId\": \"s2\", \"atSeq\": 1}");
		signIn(Keys.READER, session("s1"));
		this.browser.await("there from the beginning");
		assertThat(this.browser.find("#event-1.failed details.failed summary").getText())
			.isEqualTo("Answer of f: failed \"error\": \"No train\"");
		assertThat(this.browser.findAll("#event-2 details[open]")).isEmpty();
		assertThat(this.browser.find("#keys td summary").getText()).startsWith("\"long long").endsWith("\u2026");
		assertThat(this.browser.find(".fork a").getDomAttribute("href")).isEqualTo(session("s2"));
		checkPages(List.of(session("s1")));
	}

	@Test
	void readsLikeAConversation() {
		create("s1", "{'state': {'city': 'Oslo', 'app:theme': 'dark'}}");
		append("s1",
				turn("user", 100, "{'text': 'By train, please.'}", ", 'actions': {'stateDelta': {'city': 'Rome'}}"));
		append("s1", turn("planner", 101, "{'functionCall': {'id': 'c1', 'name': 'find', 'args': {'to': 'Rome'}}}",
				", 'actions': {'stateDelta': {'app:theme': 'light', 'days': {'n': 3}}}"));
		append("s1",
				turn("planner", 102,
						"{'functionResponse': {'id': 'c1', 'name': 'find', 'response': {'error': 'No train.'}}}",
						", 'actions': {'stateDelta': {'days': '%s', 'city': null}}".formatted("long ".repeat(20))));
		signIn(Keys.AGENT, session("s1"));
		this.browser.await("Expand all");
		assertThat(this.browser.find("#event-2 .call summary").getText())
			.isEqualTo("Call of find \"to\": \"Rome\" → failed: \"error\": \"No train.\"");
		assertThat(this.browser.find("#event-1 .delta summary").getText()).isEqualTo("Sets 1 key city: Oslo → Rome");
		assertThat(this.browser.find("#event-2 .delta summary").getText())
			.isEqualTo("Sets 2 keys app:theme: light days: { \"n\": 3 }");
		assertThat(this.browser.find("#event-3 .delta summary").getText()).contains("days: { \"n\": 3 } → long long",
				"\u2026", "city: Rome → null");
		assertThat(this.browser.find("#event-2 .agent").getDomAttribute("class"))
			.isEqualTo(this.browser.find("#event-3 .agent").getDomAttribute("class"));
		this.browser.click("Expand all");
		assertThat(this.browser.findAll("#turns details[open]")).hasSize(5);
		this.browser.click("Expand all");
		assertThat(this.browser.findAll("#turns details[open]")).isEmpty();
		checkPages(List.of(session("s1"), session("s1") + "?as=stored"));
	}

	@Test
	void keepsTheStateInViewAndMarksWhatChanged() {
		create("s1", "{'state': {'city': 'Oslo', 'user:name': 'Mira'}}");
		for (int event = 1; event <= 30; event++) {
			append("s1", turn("planner", event, "{'text': 'text-%d.'}".formatted(event),
					", 'actions': {'stateDelta': {'days': %d, 'by-%d': 'train'}}".formatted(event / 3, event / 10)));
		}
		signIn(Keys.READER, session("s1") + "?at=30");
		this.browser.await("event 30 by planner");
		assertThat(changed()).containsExactly("by-3 changed", "days changed");
		assertThat(this.browser.script(STATE_IN_VIEW)).isEqualTo(true);
		this.browser.open(session("s1") + "?at=0");
		this.browser.await("there from the beginning");
		assertThat(changed()).isEmpty();
		this.browser.look("light", 390, 800);
		this.browser.open(session("s1"));
		this.browser.await("New events show here");
		assertThat(this.browser.find(".drawer summary").getText()).isEqualTo("State now");
		assertThat(this.browser.findAll(".drawer[open]")).isEmpty();
		assertThat(this.browser.script(STATE_IN_VIEW)).isEqualTo(true);
		this.browser.clickOn(".drawer summary");
		this.browser.await("event 30 by planner");
		this.browser.script("document.getElementById('at').focus({preventScroll: true})");
		this.browser.press(org.openqa.selenium.Keys.ARROW_LEFT);
		this.browser.await("State right after event 29");
		this.browser.await("event 29 by planner");
		assertThat(this.browser.script(STATE_IN_VIEW)).isEqualTo(true);
		this.browser.checkAccessible();
		checkPages(List.of(session("s1"), session("s1") + "?at=30"));
	}

	/** The contents are the first screen: what leads to them takes a quarter of it. */
	@Test
	void beginsAConversationNearTheTopAndKeepsItsHeader() {
		create("s1", "{'displayName': 'A trip'}");
		for (int event = 1; event <= 40; event++) {
			append("s1", turn("planner", event, "{'text': 'text-%d.'}".formatted(event),
					(event == 20) ? ", 'errorCode': 'LATE'" : ""));
		}
		append("s1", turn("planner", 41, "{'functionCall': {'id': 'c2', 'name': 'book'}}",
				", 'longRunningToolIds': ['c2']"));
		signIn(Keys.AGENT, session("s1"));
		this.browser.look("light", 1440, 900);
		this.browser.await("waits");
		assertThat((Long) this.browser.script("return Math.round(document.querySelector('#turns .event')"
				+ ".getBoundingClientRect().top + window.scrollY)"))
			.isLessThanOrEqualTo(220);
		assertThat((Long) this.browser.script("return window.scrollY")).isPositive();
		assertThat(this.browser.script("return document.querySelector('h1').getBoundingClientRect().top >= 0"))
			.isEqualTo(true);
		assertThat(this.browser.find(".marks .error").getDomAttribute("d")).isEqualTo("M20 0V1");
		assertThat(this.browser.find(".marks .waits").getDomAttribute("d")).isEqualTo("M41 0V1");
		assertThat(this.browser.find(".marks .quiet").getDomAttribute("d")).isEqualTo("M1 0V1");
		this.browser.clickOn(".tabs > details:nth-of-type(2) > summary");
		this.browser.await("There are none. An agent saves a file");
		this.browser.clickOn(".tabs > details:nth-of-type(4) > summary");
		this.browser.await("Event 41");
		this.browser.await("\"longRunningToolIds\"");
		this.browser.open(session("s1") + "?at=3");
		checkEveryLook();
	}

	private List<String> changed() {
		return this.browser.findAll("#keys .changed th").stream().map((key) -> key.getText()).toList();
	}

	/** Two clicks from the page of the user. */
	@Test
	void showsATurnAsAPicture() {
		create("s1", "{}");
		append("s1", turn("user", 100, "{'text': 'By train, please.'}", ""));
		append("s1", turn("planner", 101, "{'functionCall': {'id': 'c1', 'name': 'find_train'}}", ""));
		append("s1", turn("planner", 109,
				"{'functionResponse': {'id': 'c1', 'name': 'find_train', 'response': {'error': 'No train.'}}}", ""));
		append("s1", turn("planner.booker", 111.5, "{'text': '\u5148\u6708 %s'}".formatted("long ".repeat(40)),
				", 'branch': 'planner.booker', 'usageMetadata': {'totalTokenCount': 1500}"));
		append("s1", turn("planner", 112, "{'functionCall': {'id': 'c2', 'name': 'book'}}",
				", 'longRunningToolIds': ['c2']"));
		signIn(Keys.READER, "/console/apps/shop/users/" + this.user);
		this.browser.follow("s1");
		this.browser.clickOn(".took > summary");
		this.browser.await("error: No train.");
		assertThat(this.browser.find(".took > summary").getText()).startsWith("12.0 s");
		assertThat(this.browser.find(".took .timeline").getText()).contains("11.5 s", "1500");
		assertThat(this.browser.findAll(".waterfall .bar")).hasSize(6);
		checkPages(List.of(session("s1") + "/turn?at=1"));
		this.browser.open(session("s1") + "/turn?at=1");
		this.browser.submit(".waterfall a:nth-of-type(3) .bar");
		assertThat(this.browser.path()).endsWith("?at=3#event-3");
	}

	private static String turn(String author, double time, String part, String more) {
		return "{'author': '%s', 'invocationId': 'trip', 'timestamp': %s, 'content': {'parts': [%s]}%s}"
			.formatted(author, time, part, more);
	}

	/** Half a second of silence. */
	private static String wav() {
		int samples = 4000;
		ByteBuffer wav = ByteBuffer.allocate(44 + samples).order(ByteOrder.LITTLE_ENDIAN);
		wav.put("RIFF".getBytes(StandardCharsets.US_ASCII))
			.putInt(36 + samples)
			.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII))
			.putInt(16);
		wav.putShort((short) 1).putShort((short) 1).putInt(8000).putInt(8000).putShort((short) 1).putShort((short) 8);
		wav.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(samples);
		while (wav.hasRemaining()) {
			wav.put((byte) 128);
		}
		return Base64.getEncoder().encodeToString(wav.array());
	}

}

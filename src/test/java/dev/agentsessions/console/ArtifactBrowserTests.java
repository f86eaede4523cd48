package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;
import dev.agentsessions.support.Json;

/** Artifacts in a real browser. */
class ArtifactBrowserTests extends BrowserTest {

	private static final String PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

	@Test
	void showsAPictureThatAnEventSavesWhileThePageIsOpen() {
		create("s1", "{}");
		signIn(Keys.READER, session("s1"));
		this.browser.await("Live");
		save("img/a \"b\".png", "image/png");
		append("s1", "{'author': 'painter', 'actions': {'artifactDelta': {'img/a \\\"b\\\".png': 0}}}");
		this.browser.await("Saved img/a \"b\".png version 0");
		this.browser.follow("img/a \"b\".png version 0");
		assertThat(this.browser.text()).contains("event 1 by painter", "image/png");
		assertThat(this.browser
			.script("const i = document.querySelector('figure img');" + "return i.decode().then(() => i.naturalWidth)"))
			.isEqualTo(1L);
		this.browser.follow("event 1 by painter");
		assertThat(this.browser.path()).endsWith("?at=1#event-1");
	}

	@Test
	void isAccessibleAndNarrow() {
		create("s1", "{}");
		save("picture.png", "image/png");
		save("a-long-name-without-a-space-".repeat(10) + ".html", "text/html");
		signIn(Keys.READER, session("s1") + "/artifacts");
		checkPages(List.of(session("s1") + "/artifacts", session("s1") + "/artifacts/one?name=picture.png",
				session("s1") + "/artifacts/one?name=" + "a-long-name-without-a-space-".repeat(10) + ".html"));
	}

	private void save(String name, String type) {
		send("/artifacts", "s1", """
				{"filename":%s,"artifact":{"inlineData":{"mimeType":"%s","data":"%s"}}}""".formatted(Json.string(name),
				type, PIXEL));
	}

}

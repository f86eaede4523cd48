package dev.agentsessions.console;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.support.Json;

/** A test with one browser, and with a user of its own for each method. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrowserTest extends SecuredServiceTest {

	protected Browser browser;

	protected String user;

	@BeforeAll
	void startBrowser() {
		this.browser = Browser.start(port());
	}

	@AfterAll
	void endBrowser() {
		if (this.browser != null) {
			this.browser.close();
		}
	}

	@BeforeEach
	void makeUser() {
		this.user = "user-" + UUID.randomUUID();
		this.browser.forget();
	}

	@AfterEach
	void leavePage() {
		this.browser.open("/console/static/icon.svg");
		this.browser.hush();
	}

	protected void signIn(Keys key, String page) {
		signIn(key.key(), page);
	}

	protected void signIn(String credentials, String page) {
		this.browser.open(page);
		this.browser.await("API key or token");
		this.browser.script("document.querySelector('input[name=credentials]').value = arguments[0]", credentials);
		this.browser.hush();
		this.browser.submit("main button[type=submit]");
	}

	/** Fails if a page is not accessible, is too wide, or misses something. */
	protected void checkPages(List<String> pages) {
		checkLayouts(pages);
		this.browser.checkQuiet();
	}

	/** Fails if what is shown now is not accessible or too wide: by day or night. */
	protected void checkEveryLook() {
		for (String scheme : List.of("light", "dark")) {
			for (int width : List.of(1440, 768, 390)) {
				this.browser.look(scheme, width, 800);
				this.browser.checkAccessible();
				this.browser.checkFits();
			}
		}
		this.browser.look("light", 1280, 900);
	}

	/** Fails if people who see badly cannot read a part while the page exchanges it. */
	protected void checkWhileExchanged(String selector) {
		this.browser.script("document.querySelectorAll(arguments[0]).forEach((part) => "
				+ "part.classList.add('htmx-request', 'htmx-swapping', 'htmx-settling'))", selector);
		checkEveryLook();
	}

	/** Fails if a page is not accessible or too wide: wide, in the dark, and narrow. */
	protected void checkLayouts(List<String> pages) {
		for (String page : pages) {
			this.browser.look("light", 1440, 900);
			this.browser.open(page);
			this.browser.unfold();
			this.browser.checkAccessible();
			this.browser.look("dark", 1440, 900);
			this.browser.checkAccessible();
			this.browser.look("light", 768, 800);
			this.browser.checkFits();
			this.browser.look("light", 375, 700);
			this.browser.checkAccessible();
			this.browser.checkFits();
		}
		this.browser.look("light", 1280, 900);
	}

	protected String session(String id) {
		return "/console/apps/shop/users/" + this.user + "/sessions/" + id;
	}

	protected void create(String id, String body) {
		send("", id, Json.of(body));
	}

	protected void append(String id, String event) {
		send("/events", id, Json.of(event));
	}

	/** Sends a body that is JSON already, so that it may have escapes. */
	protected void send(String path, String id, String body) {
		int status = call("POST", "/apps/shop/users/" + this.user + "/sessions/" + id + path).as(Keys.AGENT)
			.json(body)
			.status();
		if (status >= 300) {
			throw new IllegalStateException(path + ": " + status);
		}
	}

}

package dev.agentsessions.console;

import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.support.Json;

/**
 * Takes the pictures of the documentation: {@code ./mvnw test -Dtest=ConsoleScreenshots}.
 * No test, and never run as one.
 */
class ConsoleScreenshots extends SecuredServiceTest {

	private static final Path IMAGES = Path.of("docs", "images");

	private static final long START = Instant.now().getEpochSecond() - 60;

	private static final String SESSION = "/apps/shop/users/mira/sessions/";

	@Test
	void takePictures() {
		makeSessions();
		try (Browser browser = Browser.start(port())) {
			browser.forget();
			browser.open("/console" + SESSION + "summer");
			browser.type("input[name=credentials]", Keys.ADMINISTRATOR.key());
			browser.clickOn("main button[type=submit]");
			browser.await("event 6 by planner");
			browser.look("light", 1440, 900);
			browser.open("/console" + SESSION + "summer");
			browser.await("event 6 by planner");
			browser.clickOn("details.call summary");
			browser.script("window.scrollTo(0, 0)");
			browser.screenshot(IMAGES.resolve("console.png"));
			browser.look("dark", 1440, 900);
			browser.open("/console" + SESSION + "summer?at=3");
			browser.await("there from the beginning");
			browser.screenshot(IMAGES.resolve("console-dark.png"));
			browser.look("light", 1280, 900);
			browser.open("/console" + SESSION + "summer/turn?at=3");
			browser.screenshot(IMAGES.resolve("console-timeline.png"));
			browser.look("light", 1440, 640);
			browser.open("/console/apps/shop");
			browser.screenshot(IMAGES.resolve("console-app.png"));
			browser.look("light", 390, 800);
			browser.open("/console" + SESSION + "summer");
			browser.await("Expand all");
			browser.script("window.scrollTo(0, 0)");
			browser.screenshot(IMAGES.resolve("console-narrow.png"));
		}
	}

	private void makeSessions() {
		create("mira", "summer", "'displayName': 'Where to in summer', 'labels': {'channel': 'web'}, 'state': {"
				+ "'city': 'Oslo', 'days': 3, 'user:name': 'Mira', 'app:theme': 'dark'}");
		append(0,
				"{'author': 'user', 'invocationId': 'turn-1', 'content': {'parts': [{'text': 'Somewhere warmer, please.'}]}}");
		append(2.4,
				"""
						{'author': 'planner', 'invocationId': 'turn-1', 'content': {'parts': [{'text': 'Rome, then. How would you like to travel?'}]},
						'actions': {'stateDelta': {'city': 'Rome', 'user:likes': 'warmth'}},
						'usageMetadata': {'promptTokenCount': 412, 'candidatesTokenCount': 23, 'totalTokenCount': 435}}""");
		append(20,
				"{'author': 'user', 'invocationId': 'turn-2', 'content': {'parts': [{'text': 'By train, if we can.'}]}}");
		append(21.8,
				"""
						{'author': 'planner', 'invocationId': 'turn-2', 'content': {'parts': [{'functionCall': {'id': 'c1', 'name': 'find_train',
						'args': {'to': 'Rome', 'night': true}}}]}, 'actions': {'stateDelta': {'days': 5}},
						'usageMetadata': {'promptTokenCount': 502, 'candidatesTokenCount': 41, 'totalTokenCount': 543}}""");
		append(27.2,
				"""
						{'author': 'planner', 'invocationId': 'turn-2', 'content': {'parts': [{'functionResponse': {'id': 'c1', 'name': 'find_train',
						'response': {'train': 'EN 40295', 'seats': 4}}}]}}""");
		append(29.1, """
				{'author': 'planner', 'invocationId': 'turn-2', 'longRunningToolIds': ['c2'], 'content': {'parts': [
				{'text': 'There is a night train with four seats left. Shall I book two?'},
				{'functionCall': {'id': 'c2', 'name': 'confirm_booking', 'args': {'train': 'EN 40295', 'seats': 2}}}]},
				'actions': {'stateDelta': {'train': 'EN 40295'}},
				'usageMetadata': {'promptTokenCount': 611, 'candidatesTokenCount': 38, 'totalTokenCount': 649}}""");
		create("jun", "refund-17", "'displayName': 'Refund of order 17', 'state': {}");
		create("ravi", UUID.randomUUID().toString(), "'displayName': 'A present for Ada', 'state': {}");
		create("ravi", UUID.randomUUID().toString(), "'state': {}, 'labels': {'channel': 'phone'}");
	}

	private void create(String user, String id, String fields) {
		call("POST", "/apps/shop/users/" + user + "/sessions/" + id).as(Keys.AGENT)
			.json(Json.of("{" + fields + "}"))
			.send();
	}

	/** Appends an event that the sender has made some seconds after the first one. */
	private void append(double seconds, String event) {
		String timed = event.replaceFirst("\\{", "{'timestamp': " + (START + seconds) + ", ");
		call("POST", SESSION + "summer/events").as(Keys.AGENT).json(Json.of(timed)).send();
	}

}

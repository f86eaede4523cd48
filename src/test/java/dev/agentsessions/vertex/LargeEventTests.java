package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Events with large images in them. */
@Tag("slow")
@HttpTest
class LargeEventTests {

	private static final int FIFTEEN_MEGABYTES = 15 << 20;

	private final VertexApi api;

	LargeEventTests(Http http) {
		this.api = new VertexApi(http);
	}

	@Test
	void keepsAnImageOfTwentyMegabytesForBothDialects() {
		this.api.create("s1");
		String image = image();
		String content = Json.of("{'role': 'user', 'parts': [{'inlineData': {'mimeType': 'image/png', 'data': '" + image
				+ "'}}, {'text': 'What is it?'}]}");

		this.api.appendWith("s1", "'content': " + content);

		assertThat(this.api.event("s1").at("/content").equals(Json.read(content))).isTrue();
		Answer session = this.api.http().get(this.api.adkPath("alice") + "/s1").ok();
		assertThat(session.at("/events/0/content").equals(Json.read(content))).isTrue();
	}

	@Test
	void keepsTheWholeEventThatPythonSendsBesideIt() {
		this.api.create("s1");
		String image = image();
		String urlSafe = image.replace('+', '-').replace('/', '_');

		this.api.appendWith("s1", "'content': {'parts': [{'inline_data': {'mime_type': 'image/png', 'data': '" + urlSafe
				+ "'}}]}, 'rawEvent': {'content': {'parts': [{'inlineData': {'data': '" + urlSafe + "'}}]}}");

		JsonNode event = this.api.event("s1");
		assertThat(event.at("/content/parts/0/inlineData/data").stringValue().equals(image)).isTrue();
		assertThat(event.at("/rawEvent/content/parts/0/inlineData/data").stringValue().equals(urlSafe)).isTrue();
	}

	/** Bytes that are 20 megabytes as Base64. */
	private static String image() {
		byte[] bytes = new byte[FIFTEEN_MEGABYTES];
		new Random(1).nextBytes(bytes);
		return Base64.getEncoder().encodeToString(bytes);
	}

}

package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Reads events without large data. */
@HttpTest
class LightPartsTests {

	private static final String LARGE = "A".repeat(1028);

	private static final String SMALL = "A".repeat(1024);

	private static final String MEGABYTE = "A".repeat(1 << 20);

	private final Api api;

	LightPartsTests(Http http) {
		this.api = new Api(http).as("users/1 ;%ü");
		this.api.create("{'sessionId': 's 1'}").ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "?", "?atSeq=1&", "?view=context&", "?numRecentEvents=1&", "?afterTimestamp=1&",
			"/events?", "/events?order=desc&", "/events?view=context&", "/events/e%20%22%C3%BC?" })
	void namesAnAddressInPlaceOfLargeData(String read) {
		String event = append(
				"""
						{ 'role' : 'user','parts':[ {'text':'\\u0041 \\/'},
						  {'thought':false , 'inlineData' : { 'mimeType':'image/png' , 'data' : '%1$s' ,'displayName':'\\u0061', 'x':1.50}},
						  {'file_data':null,'inline_data':{'data':'%1$s','mime_type':'image\\/png'}, 'text' :null},
						  {'inlineData':{'data':'%2$s'}}, {'in\\u006cineData':{'data':'%1$s'}}], 'n':1e400 }"""
					.formatted(LARGE, SMALL));
		String light = event.replace("\"inlineData\" : { \"mimeType\"", "\"fileData\" : { \"mimeType\"")
			.replace("\"data\" : \"" + LARGE + "\" ,", "\"fileUri\":\"" + uri(1) + "\" ,")
			.replace("\"file_data\":null", "\"inline_data\":null")
			.replace("\"inline_data\":{\"data\":\"" + LARGE + "\"", "\"file_data\":{\"file_uri\":\"" + uri(2) + "\"")
			.replace("\"in\\u006cineData\":{\"data\":\"" + LARGE + "\"",
					"\"fileData\":{\"fileUri\":\"" + uri(4) + "\"");
		assertThat(light).hasSizeLessThan(event.length() - 2000);
		assertThat(read(read + "parts=light")).contains(light).doesNotContain(LARGE);
		assertThat(read(read + "parts=full")).contains(event);
		assertThat(read(read)).contains(event);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'inlineData':{'data':'%2$s'}}", "{'inlineData':{'data':'%1$s','data':'%1$s'}}",
			"{'inlineData':{'data':'%1$s'},'inline_data':{'data':'%1$s'}}",
			"{'inlineData':{'data':'%1$s'},'fileData':{'fileUri':'x'}}",
			"{'inlineData':{'data':'%1$s'},'fileData':null,'file_data':null}",
			"{'inlineData':{'data':'%1$s','fileUri':'x'}}", "{'inlineData':{'Data':'%1$s'}}",
			"{'inlineData':null,'fileData':{'data':'%1$s'}}", "{'text':'%1$s'}",
			"{'functionResponse':{'name':'f','response':{},'parts':[{'inlineData':{'data':'%1$s'}}]}}",
			"{},{'x':{'inlineData':{'data':'%1$s'}}}", "" })
	void leavesAllElseAsItWasSent(String parts) {
		String event = append("{'parts' : [" + parts.formatted(LARGE, SMALL) + "],'x':{'parts':['" + LARGE + "']}}");
		assertThat(read("?parts=light")).contains(event);
		assertThat(read("/events?parts=light")).contains(event);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{'parts':null}", "null",
			"{'parts':[{'inlineData':{'data':'%1$s'}}],'parts':[{'inlineData':{'data':'%1$s'}}]}" })
	void leavesOddContentAlone(String content) {
		String event = append(content.formatted(LARGE));
		assertThat(read("?parts=light")).contains(event);
	}

	@Test
	void watchShowsLightParts() {
		append("{'parts':[{'inlineData':{'data':'" + LARGE + "'}}]}");
		try (EventSource watch = EventSource.open(this.api.http().port(),
				this.api.eventsPath("s 1") + ":watch?afterSeq=0&parts=light")) {
			assertThat(watch.next().json().at("/content/parts/0/fileData/fileUri").stringValue()).isEqualTo(uri(0));
			appendSecond("{'parts':[{'text':'later'},{'inlineData':{'data':'" + LARGE + "'}}]}");
			assertThat(watch.next().json().at("/content/parts/1/fileData/fileUri").stringValue())
				.isEqualTo(this.api.eventsPath("s 1") + "/e2/parts/1");
		}
	}

	@Test
	void uriOfLightPartReturnsItsData() {
		append("{'parts':[{'inlineData':{'mimeType':'image/png','data':'" + LARGE + "'}}]}");
		String uri = this.api.get("s 1", "parts=light").text("/events/0/content/parts/0/fileData/fileUri");
		Answer answer = this.api.http().get(uri);
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo("\0".repeat(1028 / 4 * 3));
	}

	@Test
	void uriOfLightPartInForkNamesFork() {
		append("{'parts':[{'inlineData':{'data':'" + LARGE + "'}}]}");
		this.api.http().post(this.api.sessionPath("s 1") + ":fork", "{\"sessionId\":\"f\"}");
		String uri = this.api.get("f", "parts=light").text("/events/0/content/parts/0/fileData/fileUri");
		assertThat(uri).startsWith(this.api.eventsPath("f"));
		assertThat(this.api.http().get(uri).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "'', e1 e2 e3 e4|e5 e6", "parts=light, e1 e2 e3 e4 e5 e6", "parts=light&order=desc, e6 e5 e4 e3 e2 e1",
			"parts=light&limit=5, e1 e2 e3 e4 e5|e6", "parts=light&limit=6, e1 e2 e3 e4 e5 e6",
			"parts=light&afterSeq=1&order=desc&limit=3, e6 e5 e4|e3 e2", "parts=light&author=u5, e5",
			"parts=light&view=context, e1 e2 e3 e4|e5 e6" })
	void putsOnAPageWhatFitsWithoutLargeData(String query, String pages) {
		for (int i = 1; i <= 6; i++) {
			this.api.append("s 1",
					"{'id':'e%1$d','author':'u%1$d','content':{'parts':[{'inlineData':{'data':'%2$s'}}]}}".formatted(i,
							MEGABYTE));
		}
		assertThat(pages(query)).isEqualTo(pages);
	}

	@Test
	void pageTokenIsValidWithOtherPartsParameter() {
		append("{'parts':[]}");
		appendSecond("{'parts':[]}");
		String token = this.api.events("s 1", "limit=1&parts=light").text("/nextPageToken");
		assertThat(this.api.events("s 1", "limit=1&pageToken=" + token).ok().text("/events/0/id")).isEqualTo("e2");
	}

	@Test
	void refusesAnotherForm() {
		for (String read : List.of("", "/events", "/events/e", "/events:watch")) {
			String path = this.api.sessionPath("s 1") + read;
			assertThat(this.api.http().get(path + "?parts=heavy").problem(400, "INVALID_ARGUMENT").detail())
				.isEqualTo("parts must be full or light");
			assertThat(this.api.http().get(path + "?Parts=light").problem(400, "INVALID_ARGUMENT").detail())
				.contains("did you mean parts?");
		}
		assertThat(this.api.list("parts=light").problem(400, "INVALID_ARGUMENT").detail())
			.contains("is no parameter of this request");
	}

	private String uri(int part) {
		return this.api.eventsPath("s 1") + "/e%20%22%C3%BC/parts/" + part;
	}

	/** Appends an event, and answers it as it is stored. */
	private String append(String content) {
		this.api.append("s 1", "{'id':'e \\'ü','author':'user','content':" + content + "}").ok();
		return this.api.event("s 1", "e \"ü").ok().body();
	}

	private void appendSecond(String content) {
		this.api.append("s 1", "{'id':'e2','author':'user','content':" + content + "}").ok();
	}

	private String read(String query) {
		return this.api.http().get(this.api.sessionPath("s 1") + query).ok().body();
	}

	private String pages(String query) {
		List<String> pages = new ArrayList<>();
		String token = "";
		do {
			Answer page = this.api.events("s 1", query + token).ok();
			pages.add(String.join(" ", page.at("/events").findValuesAsString("id")));
			token = page.json().has("nextPageToken") ? "&pageToken=" + page.text("/nextPageToken") : "";
		}
		while (!token.isEmpty());
		return String.join("|", pages);
	}

}

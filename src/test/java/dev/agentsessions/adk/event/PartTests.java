package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.OlderVersion;

/** The bytes of parts of events. */
@HttpTest
class PartTests {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final Api api;

	private final JdbcTemplate jdbc;

	PartTests(Http http, JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.api = new Api(http).as("users/1");
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 4, 49_150, 49_151, 49_152, 49_153, 1_000_000 })
	void areThoseThatWereEncodedInWhicheverWay(int length) throws Exception {
		byte[] bytes = random(length);
		String standard = Base64.getEncoder().encodeToString(bytes);
		String urlSafe = Base64.getUrlEncoder().encodeToString(bytes);
		append("{'inlineData':{'mimeType':'image/png','data':'" + standard + "'}},{'inline_data':{'data':'" + urlSafe
				+ "','mime_type':'image/png'}},{'inlineData':{'mimeType':'image/png','data':'"
				+ urlSafe.replace("=", "") + "'}},{'inlineData':{'mimeType':'image/png','data':'"
				+ standard.replace("/", "\\/").replace("A", "\\u0041") + "'}}");
		for (int part = 0; part < 4; part++) {
			HttpResponse<byte[]> answer = get(part);
			assertThat(answer.statusCode()).isEqualTo(200);
			assertThat(answer.body()).isEqualTo(bytes);
			assertThat(header(answer, "Content-Type")).isEqualTo("image/png");
			assertThat(header(answer, "Content-Length")).isEqualTo(Integer.toString(length));
		}
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`',
			value = { "image/png, image/png, inline", "IMAGE/PNG, IMAGE/PNG, inline",
					"audio/L16;codec=pcm;rate=24000, audio/L16;codec=pcm;rate=24000, inline",
					"video/mp4, video/mp4, inline", "application/pdf, application/pdf, attachment" })
	void haveTheTypeThatTheSenderSaysIfThatIsSafe(String type, String answered, String disposition) throws Exception {
		append("{'inlineData':{'mimeType':'" + type + "','data':'AAAA'}}");
		HttpResponse<byte[]> answer = get(0);
		assertThat(header(answer, "Content-Type")).isEqualToIgnoringCase(answered);
		assertThat(header(answer, "Content-Disposition")).isEqualTo(disposition);
		assertSafe(answer);
	}

	/** What a browser could run or lay out as a page of this service is none of these. */
	@ParameterizedTest
	@ValueSource(strings = { "text/javascript", "TEXT/JavaScript", "application/javascript", "text/css", "text/html",
			"text/plain;charset=utf-8", "application/json", "application/wasm", "application/xhtml+xml",
			"application/pdf+xml", "image/svg+xml", "image/SVG+XML", "image/svg", "image/xml", "audio/x+xml",
			"font/woff2", "model/gltf+json", "multipart/mixed", "x/y" })
	void areBytesOfAnyKindIfTheyAreNoPictureSoundFilmOrPdf(String type) throws Exception {
		append("{'inlineData':{'mimeType':'" + type + "','data':'AAAA'}}");
		HttpResponse<byte[]> answer = get(0);
		assertThat(answer.body()).isEqualTo(new byte[3]);
		assertThat(header(answer, "Content-Type")).isEqualTo("application/octet-stream");
		assertThat(header(answer, "Content-Disposition")).isEqualTo("attachment");
		assertSafe(answer);
	}

	@ParameterizedTest
	@ValueSource(strings = { "'image/png\\r\\nX-Evil: 1'", "'image/png\\nX-Evil: 1'", "'image/png\\u0000'", "'image'",
			"'*/*'", "'image/*'", "''", "' '", "null", "17", "{'a':1}", "'image/png;a=\\\"\\r\\nX-Evil: 1\\\"'",
			"'image/png;charset=no-such-set'", "'image/png; q=7'", "'image/pñg'", "'text/html, image/png'",
			"'image/png','mime_type':'text/html'" })
	void haveNoTypeThatIsNone(String type) throws Exception {
		appendToOlderVersion("{'inlineData':{'mimeType':" + type + ",'data':'AAAA'}}");
		HttpResponse<byte[]> answer = get(0);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo(new byte[3]);
		assertThat(header(answer, "Content-Type")).isEqualTo("application/octet-stream");
		assertThat(header(answer, "Content-Disposition")).isEqualTo("attachment");
		assertThat(answer.headers().firstValue("X-Evil")).isEmpty();
		assertSafe(answer);
	}

	@ParameterizedTest
	@ValueSource(strings = { "A", "AAAAA", "AA=A", "AA==AAAA", "A===", "AAAA\\n", "no base64!", "ü",
			"data:image/png;base64,AAAA", "AA AA" })
	void areTheTextItselfIfItIsNoBase64(String data) throws Exception {
		appendToOlderVersion("{'inlineData':{'mimeType':'image/png','data':'" + data + "'}}");
		HttpResponse<byte[]> answer = get(0);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo(data.replace("\\n", "\n"));
		assertThat(header(answer, "Content-Type")).isEqualTo("application/octet-stream");
		assertThat(header(answer, "Content-Disposition")).isEqualTo("attachment");
	}

	@ParameterizedTest
	@CsvSource({ "bytes=0-0, 0, 0", "bytes=10-19, 10, 19", "bytes=990-, 990, 999", "bytes=990-5000, 990, 999",
			"bytes=-10, 990, 999", "bytes=-5000, 0, 999", "bytes = 5 - 6, 5, 6",
			"bytes=999-999999999999999999, 999, 999" })
	void areReadInRanges(String range, int first, int last) throws Exception {
		byte[] bytes = random(1000);
		appendPng(bytes);
		String etag = header(get(0), "ETag");
		for (String ifRange : new String[] { null, etag }) {
			HttpResponse<byte[]> answer = (ifRange != null) ? get(0, "Range", range, "If-Range", ifRange)
					: get(0, "Range", range);
			assertThat(answer.statusCode()).isEqualTo(206);
			assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(bytes, first, last + 1));
			assertThat(header(answer, "Content-Range")).isEqualTo("bytes " + first + "-" + last + "/1000");
			assertThat(header(answer, "Content-Length")).isEqualTo(Integer.toString(last - first + 1));
			assertThat(header(answer, "ETag")).isEqualTo(etag);
			assertSafe(answer);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bytes=0-1,5-6", "bytes=5-2", "bytes=-", "bytes", "lines=1-2", "bytes=a-b", "bytes=--1",
			"", "bytes=9999999999999999999-" })
	void areReadAsAWholeIfThatIsNoRange(String range) throws Exception {
		appendPng(random(1000));
		HttpResponse<byte[]> answer = get(0, "Range", range);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).hasSize(1000);
		assertThat(header(answer, "Accept-Ranges")).isEqualTo("bytes");
	}

	@ParameterizedTest
	@CsvSource({ "bytes=1000-, 1000", "bytes=1000-2000, 1000", "bytes=-0, 1000", "bytes=0-, 0", "bytes=-1, 0" })
	void haveNoRangeBehindTheirEnd(String range, int length) {
		appendPng(random(length));
		Answer answer = this.api.http().send("GET", path(0), BodyPublishers.noBody(), "Range", range);
		assertThat(answer.problem(416, "INVALID_ARGUMENT").detail()).contains(length + " bytes");
		assertThat(answer.header("Content-Range")).hasValue("bytes */" + length);
		assertThat(answer.header("Cache-Control").orElseThrow()).contains("no-store");
	}

	@Test
	void ifRangeOfOtherVersionReturnsWholePart() throws Exception {
		appendPng(random(1000));
		assertThat(get(0, "Range", "bytes=0-9", "If-Range", "\"other\"").statusCode()).isEqualTo(200);
		assertThat(get(0, "Range", "bytes=0-9", "If-Range", "Sat, 01 Jan 2000 00:00:00 GMT").statusCode())
			.isEqualTo(200);
	}

	@Test
	void knownEntityTagReturns304() throws Exception {
		appendPng(random(1000));
		String etag = header(get(0), "ETag");
		assertThat(etag).startsWith("\"");
		for (String known : new String[] { etag, "W/" + etag, "\"other\", " + etag }) {
			HttpResponse<byte[]> answer = get(0, "If-None-Match", known, "Range", "bytes=5000-");
			assertThat(answer.statusCode()).isEqualTo(304);
			assertThat(answer.body()).isEmpty();
			assertThat(header(answer, "ETag")).isEqualTo(etag);
			assertThat(header(answer, "Cache-Control")).isEqualTo("private, max-age=86400, immutable");
		}
		assertThat(get(0, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
	}

	@Test
	void entityTagsOfDifferentPartsDiffer() throws Exception {
		append("""
				{'inlineData':{'mimeType':'image/png','data':'AAAA'}},{'inlineData':{'mimeType':'image/png','data':'AAAB'}},
				{'inlineData':{'mimeType':'text/html','data':'AAAA'}},{'inlineData':{'mimeType':'image/png','data':'AAAA'}}""");
		assertThat(header(get(1), "ETag")).isNotEqualTo(header(get(0), "ETag"));
		assertThat(header(get(2), "ETag")).isNotEqualTo(header(get(0), "ETag"));
		assertThat(header(get(3), "ETag")).isEqualTo(header(get(0), "ETag"));
	}

	@Test
	void partsAreNeverCompressed() throws Exception {
		byte[] bytes = "text ".repeat(2000).getBytes(StandardCharsets.UTF_8);
		append("{'inlineData':{'mimeType':'text/plain','data':'" + Base64.getEncoder().encodeToString(bytes) + "'}}");
		for (String range : new String[] { "", "bytes=0-4999" }) {
			HttpResponse<byte[]> answer = get(0, "Accept-Encoding", "gzip", "Range", range);
			assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
			assertThat(answer.body()).isEqualTo(range.isEmpty() ? bytes : Arrays.copyOf(bytes, 5000));
			assertThat(header(answer, "Content-Type")).isEqualTo("application/octet-stream");
		}
	}

	@Test
	void headOfPartIsAnswered() throws Exception {
		appendPng(random(1000));
		HttpResponse<byte[]> answer = send("HEAD", 0, "Range", "bytes=0-9");
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEmpty();
		assertThat(header(answer, "Content-Length")).isEqualTo("1000");
		assertThat(header(answer, "Content-Type")).isEqualTo("image/png");
		assertThat(header(answer, "ETag")).isEqualTo(header(get(0), "ETag"));
		assertSafe(answer);
	}

	@Test
	void acceptHeaderOfPartIsIgnored() throws Exception {
		appendPng(random(10));
		assertThat(get(0, "Accept", "image/webp").statusCode()).isEqualTo(200);
		Answer missing = this.api.http().send("GET", path(1), BodyPublishers.noBody(), "Accept", "image/webp");
		missing.problem(404, "PART_NOT_FOUND");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "1", "2", "3", "4", "5", "-1", "2147483647" })
	void areNotThereWithoutData(String part) {
		appendToOlderVersion("""
				{'text':'a'},{'inlineData':{'data':['AAAA']}},{'inlineData':null},
				{'inlineData':{'data':'AAAA','data':'AAAA'}},{'fileData':{'fileUri':'a','data':'AAAA'}}""");
		assertThat(this.api.http().get(path(part)).problem(404, "PART_NOT_FOUND").detail())
			.isEqualTo("The event has no part with data at this index");
	}

	@Test
	void missingPartReturns404() {
		this.api.append("s1", "{'id':'e1','author':'user'}").ok();
		this.api.http().get(path(0)).problem(404, "PART_NOT_FOUND");
		this.api.http().get(path("x")).problem(400, "INVALID_ARGUMENT");
		this.api.http().get(path("2147483648")).problem(400, "INVALID_ARGUMENT");
		this.api.http().get(this.api.eventsPath("s1") + "/e2/parts/0").problem(404, "EVENT_NOT_FOUND");
		this.api.http().get(this.api.eventsPath("s2") + "/e1/parts/0").problem(404, "EVENT_NOT_FOUND");
	}

	@Test
	void partsOfOtherUserAreHidden() {
		appendPng(random(10));
		String path = this.api.as("users/2").eventsPath("s1") + "/e1/parts/0";
		this.api.http().get(path).problem(404, "EVENT_NOT_FOUND");
	}

	private void appendPng(byte[] bytes) {
		append("{'inlineData':{'mimeType':'image/png','data':'" + Base64.getEncoder().encodeToString(bytes) + "'}}");
	}

	private void append(String parts) {
		this.api.append("s1", "{'id':'e1','author':'user','content':{'parts':[" + parts + "]}}").ok();
	}

	private void appendToOlderVersion(String parts) {
		append("");
		OlderVersion.stored(this.jdbc, this.api.app(), "e1",
				Json.of("{'id':'e1','author':'user','timestamp':1,'actions':{},'content':{'parts':[" + parts + "]}}"));
	}

	private HttpResponse<byte[]> get(int part, String... headers) throws IOException, InterruptedException {
		return send("GET", part, headers);
	}

	private HttpResponse<byte[]> send(String method, int part, String... headers)
			throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.api.http().port() + path(part));
		HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody());
		if (headers.length > 0) {
			request.headers(headers);
		}
		return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
	}

	private String path(Object part) {
		return this.api.eventsPath("s1") + "/e1/parts/" + part;
	}

	private static String header(HttpResponse<byte[]> answer, String name) {
		assertThat(answer.headers().allValues(name)).as(name).hasSize(1);
		return answer.headers().firstValue(name).orElseThrow();
	}

	/** A browser does nothing with them but show them, and keeps them for itself. */
	private static void assertSafe(HttpResponse<byte[]> answer) {
		assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
		assertThat(header(answer, "Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
		assertThat(header(answer, "Cross-Origin-Resource-Policy")).isEqualTo("same-site");
		assertThat(header(answer, "Cache-Control")).isEqualTo("private, max-age=86400, immutable");
		assertThat(answer.headers().allValues("Vary")).anySatisfy((vary) -> assertThat(vary).contains("Authorization"));
		assertThat(answer.headers().firstValue("Pragma")).isEmpty();
	}

	private static byte[] random(int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		return bytes;
	}

}

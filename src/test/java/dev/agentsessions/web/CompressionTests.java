package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Who can read compressed answers gets them, also those with an entity tag. */
@HttpTest
class CompressionTests {

	private static final String SESSION = "/apps/gzip/users/ann/sessions/s";

	private final Http http;

	CompressionTests(Http http) {
		this.http = http;
		http.post(SESSION, "{\"state\":{\"k\":\"" + "x".repeat(64 * 1024) + "\"}}");
	}

	@Test
	void compressesASessionAndKeepsItsTag() throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.http.port() + SESSION))
			.header("Accept-Encoding", "gzip")
			.build();
		HttpResponse<byte[]> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray());
		assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
		assertThat(answer.headers().allValues("Vary"))
			.anySatisfy((vary) -> assertThat(vary).containsIgnoringCase("accept-encoding"));
		assertThat(answer.body()).hasSizeLessThan(2048);
		GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer.body()));
		assertThat(new String(plain.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(this.http.get(SESSION).body());
		String tag = answer.headers().firstValue("ETag").orElseThrow();
		assertThat(tag).startsWith("\"").isEqualTo(this.http.get(SESSION).etag());
		this.http.post(SESSION + "/events", "{}", "If-Match", tag).ok();
	}

	@Test
	void sendsPlainToWhoAsksForNothingElse() {
		assertThat(this.http.get(SESSION).header("Content-Encoding")).isEmpty();
	}

}

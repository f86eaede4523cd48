package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.Optional;

import tools.jackson.databind.JsonNode;

/**
 * An answer of the service.
 *
 * @param status the status code
 * @param headers the headers
 * @param body the body
 */
public record Answer(int status, HttpHeaders headers, String body) {

	/** This answer, which has to be a success in JSON. */
	public Answer ok() {
		assertThat(this.status).as(this.body).isEqualTo(200);
		assertThat(header("Content-Type")).hasValue("application/json");
		return this;
	}

	/** This answer, which has to be a problem detail with this status and code. */
	public Answer problem(int status, String code) {
		assertThat(this.status).as(this.body).isEqualTo(status);
		assertThat(header("Content-Type")).hasValue("application/problem+json");
		assertThat(text("/code")).as(this.body).isEqualTo(code);
		assertThat(at("/status").intValue()).isEqualTo(status);
		assertThat(text("/title")).isNotBlank();
		assertThat(detail()).isNotBlank();
		assertThat(text("/error")).isEqualTo(detail());
		assertThat(text("/requestId")).isEqualTo(header("X-Request-Id").orElseThrow());
		return this;
	}

	public String detail() {
		return text("/detail");
	}

	public JsonNode json() {
		return Json.read(this.body);
	}

	/** A part of the body, by JSON pointer. */
	public JsonNode at(String pointer) {
		return json().at(pointer);
	}

	/** A string in the body, by JSON pointer. */
	public String text(String pointer) {
		return at(pointer).stringValue();
	}

	public Optional<String> header(String name) {
		return this.headers.firstValue(name);
	}

	public String etag() {
		return header("ETag").orElseThrow();
	}

	/** The revision that the entity tag begins with. */
	public long revision() {
		assertThat(etag()).matches("\"\\d+\\.[0-9a-f-]{36}\\.\\d{16}(\\.\\d+)?\"");
		return Long.parseLong(etag().substring(1, etag().indexOf('.')));
	}

}

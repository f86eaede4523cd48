package dev.agentsessions.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.postgres.lifecycle.OwnedTables;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/** What holds for the examples in the OpenAPI document of every dialect. */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ExamplesContract {

	private final Http http;

	private final JdbcTemplate database;

	private final ApiDescription api;

	protected ExamplesContract(Http http, JdbcTemplate database, String group) {
		this.http = http;
		this.database = database;
		this.api = ApiDescription.of(http, group);
	}

	protected ApiDescription api() {
		return this.api;
	}

	@BeforeEach
	public void forgetEverything() {
		this.database.execute(Stream.concat(Stream.of("sessions"), OwnedTables.ALL.stream().map(OwnedTable::name))
			.map((table) -> "delete from " + table)
			.collect(Collectors.joining("; ")));
	}

	@Test
	public void areAnsweredFromTopToBottom() {
		this.api.operations()
			.forEach((operation) -> assertAnswered(operation,
					operation.successExamples().keySet().stream().findFirst()));
	}

	/** Who tries something out, tries it out again. */
	@Test
	public void canBeTriedOutTwice() {
		tryOutEverything();
		tryOutEverything();
	}

	@ParameterizedTest
	@MethodSource
	public void areAnsweredInPlaceOfTheFirstOne(ApiOperation operation, String name) {
		tryOut(operation.before());
		assertAnswered(operation, Optional.of(name));
	}

	protected Stream<Arguments> areAnsweredInPlaceOfTheFirstOne() {
		return this.api.operations()
			.stream()
			.flatMap((operation) -> operation.requestExamples()
				.keySet()
				.stream()
				.skip(1)
				.map((name) -> Arguments.of(Named.of(operation.id(), operation), name)));
	}

	/** Sends the first example of every operation, from top to bottom. */
	protected void tryOutEverything() {
		tryOut(this.api.operations().stream());
	}

	/** The same up to the one that erases what the others have made. */
	protected void tryOutUntil(String operationId) {
		tryOut(this.api.operations().stream().takeWhile((operation) -> !operation.id().equals(operationId)));
	}

	private void tryOut(Stream<ApiOperation> operations) {
		operations.forEach((operation) -> assertThat(operation.execute(this.http).status()).as(operation.id())
			.isEqualTo(operation.successStatus()));
	}

	private void assertAnswered(ApiOperation operation, Optional<String> example) {
		Answer answer = operation.execute(this.http, example.map(operation.requestExamples()::get).orElse(null));
		assertThat(answer.status()).as(answer.body()).isEqualTo(operation.successStatus());
		assertThat(answer.header("ETag").isPresent()).as(operation.id())
			.isEqualTo(operation.success().at("/headers").has("ETag"));
		// Operations with the text of another one have its examples, too
		example.filter((name) -> !operation.id().endsWith("OfUser"))
			.ifPresent((name) -> assertSame(operation.read(answer), operation.successExamples().get(name)));
	}

	/** Compares apart from what is new with every request: times and made-up ids. */
	protected static void assertSame(JsonNode answer, JsonNode example) {
		assertThat(withoutNews(answer)).isEqualTo(withoutNews(example));
	}

	private static JsonNode withoutNews(JsonNode body) {
		return Json.read(body.toString()
			.replaceAll(
					"(\"(lastUpdateTime|timestamp|lease|createTime|updateTime|startTime|expireTime|since|seconds)\":)[0-9.]+",
					"$1\"time\"")
			.replaceAll("(\"etag\":\"\\\\\"\\d+)\\.[0-9a-f-]{36}\\.\\d{16}", "$1.any")
			.replaceAll("\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\"", "\"time\"")
			.replaceAll("(\"requestId\":)\"[^\"]+\"", "$1\"id\"")
			.replaceAll("(\"(version|language_version)\":)\"[^\"]+\"", "$1\"version\"")
			.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid"));
	}

}

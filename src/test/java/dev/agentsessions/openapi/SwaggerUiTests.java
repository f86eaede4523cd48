package dev.agentsessions.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.console.Browser;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * What Swagger UI sends in a real browser, which is not always what the document says.
 */
@Tag("slow")
@HttpTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SwaggerUiTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final Http http;

	private Browser browser;

	SwaggerUiTests(Http http) {
		this.http = http;
	}

	@BeforeAll
	void startBrowser() {
		this.browser = Browser.start(this.http.port());
	}

	@AfterAll
	void endBrowser() {
		if (this.browser != null) {
			this.browser.close();
		}
	}

	/** Lines of JSON, JSON, and none. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "Transfer-importUser | \"complete\": true", "Transfer-importApp | \"complete\": true",
					"Sessions-createSession | \"id\": \"s-1\"", "Service-version | \"version\"" })
	void sendsExamplesThatAreAnswered(String operation, String answer) {
		String block = "#operations-" + operation;
		this.browser.open("/swagger-ui/index.html");
		click(block + " .opblock-summary-control");
		click(block + " .execute");
		assertShows(block + " .live-responses-table tr.response .response-col_status", "200");
		assertShows(block + " .live-responses-table tr.response .response-col_description", answer);
	}

	private void click(String selector) {
		Awaitility.await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> this.browser.find(selector).click());
	}

	private void assertShows(String selector, String text) {
		Awaitility.await()
			.atMost(PATIENCE)
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(this.browser.find(selector).getText()).contains(text));
	}

}

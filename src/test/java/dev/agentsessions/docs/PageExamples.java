package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

import dev.agentsessions.support.Bash;

/**
 * Runs the commands of a page and compares what they print with the output on the page.
 * Times and generated ids may differ. The page need not show all headers of a response.
 */
final class PageExamples {

	private static final String SERVICE = "http://localhost:8080";

	private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

	/** In seconds, or in microseconds. */
	private static final String TIME = "\\b(\\d{16}|\\d{10}(\\.\\d{1,9})?)\\b";

	private static final Pattern NOT_INSTALLED = Pattern.compile("command not found|No module named 'requests'");

	private PageExamples() {
	}

	/**
	 * Returns a test for each block of commands. All blocks run in order in one shell.
	 */
	static Stream<DynamicTest> run(List<MarkdownPage.Example> examples, int port) throws IOException {
		String service = "http://localhost:" + port;
		List<String> printed = Bash.run(
				examples.stream().map((example) -> example.commands().replace(SERVICE, service)).toList(),
				Map.of("AGENT_SESSIONS_URL", service, "no_proxy", "localhost"));
		return IntStream.range(0, examples.size())
			.mapToObj((i) -> DynamicTest.dynamicTest(examples.get(i).commands(),
					() -> checkPrinted(printed.get(i).strip(), examples.get(i).output())));
	}

	private static void checkPrinted(String printed, MarkdownPage.Block output) {
		assumeInstalled(printed);
		switch (output.language()) {
			case "json" -> checkJson(printed, output.text());
			case "http" -> checkHttp(printed.split("\n\n", 2), output.text().strip().split("\n\n", 2));
			default -> assertThat(withoutIds(printed)).isEqualTo(withoutIds(output.text().strip()));
		}
	}

	/**
	 * A JDK and git are enough to build. With CI set, the other programs are required.
	 */
	private static void assumeInstalled(String printed) {
		if (System.getenv("CI") == null && NOT_INSTALLED.matcher(printed).find()) {
			Assumptions.abort("Not run on this machine: " + printed);
		}
	}

	private static void checkHttp(String[] printed, String[] shown) {
		assertThat(printed).hasSameSizeAs(shown);
		assertThat(printed[0].lines().map(String::strip).map(PageExamples::withoutKey))
			.containsAll(shown[0].lines().map(PageExamples::withoutKey).toList());
		if (shown.length > 1) {
			checkJson(printed[1], shown[1]);
		}
	}

	/**
	 * Removes the key of the session and the time, which an entity tag has after the
	 * revision.
	 */
	private static String withoutKey(String text) {
		return text.replaceAll("(\"\\d+)\\.[0-9a-f-]{36}\\.\\d{16}", "$1.any");
	}

	/** Removes the times that the ids of messages have after the seq. */
	private static String withoutIds(String text) {
		return text.replaceAll("(?m)^(id: \\d+)\\.\\d{16}$", "$1.any");
	}

	private static void checkJson(String printed, String shown) {
		assertThat(json(printed)).isEqualTo(json(shown));
	}

	private static JsonNode json(String text) {
		try {
			return JsonMapper.shared()
				.readTree(withoutKey(text).replaceAll(TIME, "0")
					.replaceAll(UUID, "any")
					.replaceAll("(\"requestId\": ?)\"[^\"]+\"", "$1\"any\""));
		}
		catch (JacksonException ex) {
			return StringNode.valueOf(text);
		}
	}

}

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
 * Does what a page tells its readers to do, and compares what they see with what it
 * shows. A time stands for any time, and a generated id for any other; of the headers of
 * an answer it may show some.
 */
final class PageExamples {

	private static final String SERVICE = "http://localhost:8080";

	private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

	/** In seconds, or in microseconds. */
	private static final String TIME = "\\b(\\d{16}|\\d{10}(\\.\\d{1,9})?)\\b";

	private static final Pattern NOT_INSTALLED = Pattern.compile("command not found|No module named 'requests'");

	private PageExamples() {
	}

	/** A test for each block of commands, which run one after the other in one shell. */
	static Stream<DynamicTest> run(List<Readme.Example> examples, int port) throws IOException {
		String service = "http://localhost:" + port;
		List<String> printed = Bash.run(
				examples.stream().map((example) -> example.commands().replace(SERVICE, service)).toList(),
				Map.of("AGENT_SESSIONS_URL", service, "no_proxy", "localhost"));
		return IntStream.range(0, examples.size())
			.mapToObj((i) -> DynamicTest.dynamicTest(examples.get(i).commands(),
					() -> checkPrinted(printed.get(i).strip(), examples.get(i).answer())));
	}

	private static void checkPrinted(String printed, Readme.Block answer) {
		assumeInstalled(printed);
		switch (answer.language()) {
			case "json" -> checkJson(printed, answer.text());
			case "http" -> checkHttp(printed.split("\n\n", 2), answer.text().strip().split("\n\n", 2));
			default -> assertThat(printed).isEqualTo(answer.text().strip());
		}
	}

	/**
	 * A JDK and git are enough to build; where CI is set, the rest has to be there, too.
	 */
	private static void assumeInstalled(String printed) {
		if (System.getenv("CI") == null && NOT_INSTALLED.matcher(printed).find()) {
			Assumptions.abort("Not tried on this machine: " + printed);
		}
	}

	private static void checkHttp(String[] printed, String[] answer) {
		assertThat(printed).hasSameSizeAs(answer);
		assertThat(printed[0].lines().map(String::strip).map(PageExamples::withoutBirth))
			.containsAll(answer[0].lines().map(PageExamples::withoutBirth).toList());
		if (answer.length > 1) {
			checkJson(printed[1], answer[1]);
		}
	}

	/** Entity tags have it behind the revision. */
	private static String withoutBirth(String text) {
		return text.replaceAll("(\"\\d+)\\.[0-9a-f-]{36}", "$1.any");
	}

	private static void checkJson(String printed, String answer) {
		assertThat(json(printed)).isEqualTo(json(answer));
	}

	private static JsonNode json(String text) {
		try {
			return JsonMapper.shared()
				.readTree(withoutBirth(text).replaceAll(TIME, "0")
					.replaceAll(UUID, "any")
					.replaceAll("(\"requestId\": ?)\"[^\"]+\"", "$1\"any\""));
		}
		catch (JacksonException ex) {
			return StringNode.valueOf(text);
		}
	}

}

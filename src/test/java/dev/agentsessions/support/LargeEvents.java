package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;

/** Large events of all shapes, and what a dialect allocates when it translates them. */
public final class LargeEvents {

	private static final String DATA = "QUJD".repeat(200_000);

	private static final String MANY = IntStream.range(0, 50_000)
		.mapToObj((i) -> "\"k%d\":1".formatted(i))
		.collect(Collectors.joining(",", "{", "}"));

	private static final List<String> FIELDS = List.of(part("{\"text\":\"%s\"}".formatted(DATA)),
			part(inlineData(DATA)), part(inlineData(DATA.replace("QUJD", "QU_-"))),
			part("{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\":\"%s\"}}}".formatted(DATA)),
			part("{\"functionResponse\":{\"name\":\"f\",\"response\":{\"a\":\"%s\"}}}".formatted(DATA)),
			"\"rawEvent\":{%s}".formatted(part(inlineData(DATA))), "\"unknown\":\"%s\"".formatted(DATA),
			"\"customMetadata\":{\"a\":\"%s\"},\"usageMetadata\":{}".formatted(DATA),
			"\"groundingMetadata\":{\"a\":\"%s\"}".formatted(DATA),
			"\"actions\":{\"stateDelta\":{\"a\":\"%s\"}}".formatted(DATA), "\"errorMessage\":\"%s\"".formatted(DATA),
			part("{\"text\":\"a\"},".repeat(30_000) + "{\"text\":\"b\"}"), MANY.substring(1, MANY.length() - 1),
			"\"rawEvent\":" + MANY, "\"customMetadata\":%s,\"usageMetadata\":{}".formatted(MANY),
			"\"groundingMetadata\":" + MANY, "\"groundingMetadata\":[%s[1]]".formatted("[1],".repeat(40_000)),
			"\"actions\":{\"stateDelta\":%s}".formatted(MANY), "\"actions\":{\"artifactDelta\":%s}".formatted(MANY));

	private LargeEvents() {
	}

	private static String part(String part) {
		return "\"content\":{\"role\":\"user\",\"parts\":[%s]}".formatted(part);
	}

	private static String inlineData(String base64) {
		return "{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"%s\"}}".formatted(base64);
	}

	/**
	 * Checks that a translation allocates no more than its dialect says. What is
	 * allocated is more than what is in memory at once.
	 */
	public static void assertAllocatesAtMost(TranslationCost cost, Consumer<Event> translation) {
		for (String fields : FIELDS) {
			JsonText body = new JsonText("{\"author\":\"a\",\"timestamp\":1.5,%s}".formatted(fields));
			translation.accept(new Event(1, Instant.EPOCH, "e", new JsonText("{\"author\":\"a\",\"timestamp\":1.5}")));
			assertThat(allocated(() -> translation.accept(new Event(1, Instant.EPOCH, "e", body))))
				.as("bytes for %s...", body.text().substring(0, 120))
				.isLessThan(cost.of(body.text()));
		}
	}

	private static long allocated(Runnable work) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long thread = Thread.currentThread().getId();
		long before = threads.getThreadAllocatedBytes(thread);
		work.run();
		return threads.getThreadAllocatedBytes(thread) - before;
	}

}

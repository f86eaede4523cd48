package dev.agentsessions.session.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Histories with all that decides what a model sees: rewinds, also of rewinds; summaries
 * that lie in each other, overlap, are equal, and come late; calls of functions one at a
 * time and in parallel, answered at once, late, twice or never.
 */
final class RandomHistory {

	private final Random random;

	private final List<String> events = new ArrayList<>();

	private final List<String> waiting = new ArrayList<>();

	private final List<double[]> summaries = new ArrayList<>();

	private int calls;

	RandomHistory(long seed) {
		this.random = new Random(seed);
	}

	/** So many events, about, each in JSON. */
	List<String> events(int count) {
		while (this.events.size() < count) {
			switch (this.random.nextInt(15)) {
				case 0 -> add("user", "",
						"\"rewindBeforeInvocationId\":\"i%d\"".formatted(this.random.nextInt(1 + invocation())));
				case 1, 2 -> summary();
				case 3, 4, 5 -> turn(1 + this.random.nextInt(3), false);
				case 6 -> turn(1 + this.random.nextInt(2), true);
				case 7, 8 -> answer("user", this.waiting);
				case 9 -> answer("agent", this.waiting);
				case 10 -> branch();
				case 11 -> special();
				default -> add("agent", text(), "");
			}
		}
		return this.events;
	}

	private void turn(int parallel, boolean longRunning) {
		List<String> ids = IntStream.range(0, parallel)
			.mapToObj((number) -> (longRunning || this.random.nextInt(4) > 0) ? call(this.calls++) : "again-" + number)
			.toList();
		add("agent", parts("functionCall", ids) + (longRunning ? ",\"longRunningToolIds\":" + array(ids) : ""), "");
		if (longRunning) {
			this.waiting.addAll(ids);
		}
		if (!longRunning || this.random.nextBoolean()) {
			ids.forEach((id) -> {
				if (this.random.nextInt(8) > 0) {
					add("agent", parts("functionResponse", List.of(id)), "");
				}
			});
		}
	}

	/** Some frameworks carry signatures in the ids of calls. */
	private static String call(int number) {
		return "call-" + number + ((number % 3 == 0) ? "-" + "x".repeat(4572) : "");
	}

	private void answer(String author, List<String> ids) {
		if (!ids.isEmpty()) {
			add(author, parts("functionResponse", List.of(ids.get(this.random.nextInt(ids.size())))), "");
		}
	}

	private void branch() {
		String id = call(this.random.nextInt(1 + this.calls));
		add("agent",
				text() + (this.random.nextBoolean() ? ",\"branch\":\"root.tool@%s\"" : ",\"isolationScope\":\"%s\"")
					.formatted(id),
				"");
	}

	/** What opens and closes calls besides the usual. */
	private void special() {
		String id = call(this.random.nextInt(1 + this.calls));
		switch (this.random.nextInt(3)) {
			case 0 -> add("agent", parts("functionCall", List.of(id)).replace("\"f\"", "\"adk_request_input\""), "");
			case 1 ->
				add("agent", parts("functionResponse", List.of(id)) + ",\"errorCode\":\"INVOCATION_ABORTED\"", "");
			default -> add("user",
					parts("functionResponse", List.of("of the branch")) + ",\"branch\":\"root.tool@" + id + "\"", "");
		}
	}

	private void summary() {
		double now = this.events.size();
		double from = this.random.nextInt(1 + this.events.size());
		double to = from + this.random.nextInt(1 + (int) (now - from));
		if (!this.summaries.isEmpty() && this.random.nextInt(3) == 0) {
			double[] other = this.summaries.get(this.random.nextInt(this.summaries.size()));
			from = this.random.nextBoolean() ? other[0] : from;
			to = other[1];
		}
		this.summaries.add(new double[] { from, to });
		add("user", "",
				"""
						"compaction":{"startTimestamp":%s,"endTimestamp":%s,"compactedContent":{"role":"model","parts":[{"text":"sum"}]}}"""
					.formatted(from, to));
	}

	/** Times mostly rise, but not always. */
	private void add(String author, String fields, String actions) {
		double time = this.events.size() + ((this.random.nextInt(10) == 0) ? -this.random.nextInt(9) : 0.5);
		this.events.add(String.format(Locale.ROOT,
				"{\"id\":\"e%d\",\"author\":\"%s\",\"invocationId\":\"i%d\",\"timestamp\":%s%s,\"actions\":{%s}}",
				this.events.size(), author, invocation(), Math.max(0, time),
				fields.isEmpty() || fields.startsWith(",") ? fields : "," + fields, actions));
	}

	private int invocation() {
		return this.events.size() / 4;
	}

	private static String text() {
		return "\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"hello\"}]}";
	}

	private static String parts(String kind, List<String> ids) {
		return ids.stream()
			.map((id) -> "{\"%s\":{\"id\":\"%s\",\"name\":\"f\",\"args\":{}}}".formatted(kind, id))
			.collect(Collectors.joining(",", "\"content\":{\"role\":\"model\",\"parts\":[", "]}"));
	}

	private static String array(List<String> ids) {
		return ids.stream().map((id) -> "\"" + id + "\"").collect(Collectors.joining(",", "[", "]"));
	}

}

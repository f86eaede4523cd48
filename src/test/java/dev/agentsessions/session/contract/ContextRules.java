package dev.agentsessions.session.contract;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventMarks;
import dev.agentsessions.session.event.TimeRange;

/**
 * What a model sees of a history, in the simplest form: by going through all of it, again
 * and again.
 */
final class ContextRules {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final List<JsonNode> events;

	private final List<EventMarks> marks;

	private ContextRules(List<Event> events) {
		this.events = events.stream().map((event) -> JSON.readTree(event.body().text())).toList();
		this.marks = events.stream().map((event) -> EventMarks.of(event.body())).toList();
	}

	/** The events that a model sees, of a whole history. */
	static List<Event> left(List<Event> history) {
		return new ContextRules(history).left().stream().map(history::get).toList();
	}

	private List<Integer> left() {
		List<Integer> live = live();
		Set<Integer> left = new TreeSet<>(kept(live));
		live.stream().filter((event) -> waits(live, event)).forEach(left::add);
		while (left.addAll(belonging(live, left))) {
			// What was added may need more
		}
		return List.copyOf(left);
	}

	/** The calls that events need, and the answers to their calls. */
	private List<Integer> belonging(List<Integer> live, Set<Integer> left) {
		List<Integer> belonging = new ArrayList<>();
		for (int event : live) {
			if (left.contains(event)) {
				needs(event).forEach((id) -> caller(live, event, id).ifPresent(belonging::add));
			}
			else if (answers(event).stream()
				.anyMatch((id) -> caller(live, event, id).filter(left::contains).isPresent())) {
				belonging.add(event);
			}
		}
		return belonging;
	}

	/** Those that were not taken back. */
	private List<Integer> live() {
		List<Integer> live = new ArrayList<>();
		for (int place = this.events.size() - 1; place >= 0; place--) {
			String rewind = actions(place).path("rewindBeforeInvocationId").asString("");
			if (rewind.isEmpty()) {
				live.add(0, place);
			}
			else {
				int last = place;
				place = IntStream.range(0, last)
					.filter((first) -> invocation(first).equals(rewind))
					.findFirst()
					.orElse(last);
			}
		}
		return live;
	}

	private List<Integer> kept(List<Integer> live) {
		List<Integer> all = live.stream().filter(this::isSummaryForAll).toList();
		List<Integer> summaries = all.stream()
			.filter((one) -> all.stream().noneMatch((other) -> isWithin(one, other)))
			.toList();
		return live.stream()
			.filter((event) -> all.contains(event) ? summaries.contains(event)
					: isSummary(event) || isScoped(event)
							|| summaries.stream().noneMatch((summary) -> covers(summary, event)))
			.toList();
	}

	private boolean isWithin(int one, int other) {
		TimeRange inner = times(one);
		TimeRange outer = times(other);
		boolean equal = outer.from() == inner.from() && outer.to() == inner.to();
		return other != one && outer.excluded().isEmpty() && outer.from() <= inner.from() && outer.to() >= inner.to()
				&& (!equal || other > one);
	}

	private boolean covers(int summary, int event) {
		double time = this.events.get(event).path("timestamp").asDouble();
		return event < summary && times(summary).replaces(time, 1e-5);
	}

	private Optional<Integer> caller(List<Integer> live, int event, String id) {
		return live.stream()
			.filter((place) -> place <= event && calls(place).contains(id))
			.max(Comparator.naturalOrder());
	}

	/** The function calls that wait, each as its event and its id. */
	static List<Map.Entry<Event, String>> waiting(List<Event> history) {
		ContextRules rules = new ContextRules(history);
		List<Integer> live = rules.live();
		List<Map.Entry<Event, String>> waiting = new ArrayList<>();
		live.forEach((event) -> new TreeSet<>(rules.waitingIds(live, event))
			.forEach((id) -> waiting.add(Map.entry(history.get(event), id))));
		return waiting;
	}

	private boolean waits(List<Integer> live, int event) {
		return !waitingIds(live, event).isEmpty();
	}

	private Set<String> waitingIds(List<Integer> live, int event) {
		Set<String> ids = new HashSet<>(texts(this.events.get(event).path("longRunningToolIds")));
		ids.retainAll(calls(event));
		this.events.get(event)
			.at("/content/parts")
			.forEach((part) -> Stream.of("adk_request_input", "adk_request_credential")
				.filter(part.at("/functionCall/name").asString("")::equals)
				.forEach((name) -> ids.add(part.at("/functionCall/id").asString(""))));
		live.stream().filter((later) -> later > event).forEach((later) -> ids.removeAll(closed(later)));
		return ids;
	}

	private Set<String> closed(int event) {
		Set<String> closed = new HashSet<>(answers(event));
		if (!this.events.get(event).path("author").asString("").equals("user")) {
			boolean aborted = this.events.get(event).path("errorCode").asString("").equals("INVOCATION_ABORTED");
			return aborted ? closed : Set.of();
		}
		if (!closed.isEmpty()) {
			closed.addAll(runs(event));
		}
		return closed;
	}

	private List<String> runs(int event) {
		return Stream.of(this.events.get(event).path("branch").asString("").split("\\."))
			.filter((segment) -> segment.contains("@"))
			.map((segment) -> segment.substring(segment.lastIndexOf('@') + 1))
			.toList();
	}

	private Set<String> needs(int event) {
		Set<String> needs = new LinkedHashSet<>(answers(event));
		runs(event).stream().filter((id) -> !id.matches("[0-9]*")).forEach(needs::add);
		if (isScoped(event)) {
			needs.add(this.events.get(event).path("isolationScope").asString(""));
		}
		return needs;
	}

	private boolean isSummary(int event) {
		return actions(event).path("compaction").isObject();
	}

	private boolean isSummaryForAll(int event) {
		return this.marks.get(event).compaction() != null;
	}

	private boolean isScoped(int event) {
		return this.events.get(event).path("isolationScope").isString();
	}

	private TimeRange times(int summary) {
		return Objects.requireNonNull(this.marks.get(summary).compaction());
	}

	private String invocation(int event) {
		return this.events.get(event).path("invocationId").asString("");
	}

	private JsonNode actions(int event) {
		return this.events.get(event).path("actions");
	}

	private List<String> calls(int event) {
		return ids(event, "functionCall");
	}

	private List<String> answers(int event) {
		return ids(event, "functionResponse");
	}

	private List<String> ids(int event, String kind) {
		return stream(this.events.get(event).path("content").path("parts"))
			.map((part) -> part.has(kind) ? part.path(kind)
					: part.path(kind.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT)))
			.map((part) -> part.path("id").asString(""))
			.filter((id) -> !id.isEmpty())
			.toList();
	}

	private static List<String> texts(JsonNode array) {
		return stream(array).map(JsonNode::asString).toList();
	}

	private static Stream<JsonNode> stream(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false);
	}

}

package dev.agentsessions.session.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.FunctionParts;
import dev.agentsessions.session.event.FunctionParts.EventErrors;
import dev.agentsessions.session.report.UsageReport.Timing;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;

/**
 * Measures how long models and tools took, event by event of each session. The response
 * of a model takes from the event before it in its turn, on its branch or an outer or
 * inner one, and the response of a tool from its call. A response of a user is no
 * response of a tool.
 */
public final class TimingCollector {

	/** Calls of further models and tools are counted together. */
	private static final int MAX_NAMES = 200;

	private static final int MAX_NAME_CHARS = 512;

	/** Of turns and of calls, at most this many of a session are remembered at once. */
	private static final int MAX_OPEN = 1000;

	private static final String OTHERS = "all others";

	private final Map<String, Sum> models = new HashMap<>();

	private final Map<String, Sum> tools = new HashMap<>();

	/** The times of calls without a response, by id. */
	private final Map<String, Instant> calls = new HashMap<>();

	private final Map<String, BranchTimes> turns = new HashMap<>();

	private @Nullable UUID session;

	void add(SpentEvent event) {
		if (!event.session().equals(this.session)) {
			this.calls.clear();
			this.turns.clear();
			this.session = event.session();
		}
		JsonObject body = (event.body() != null) ? JsonObject.of(event.body()) : null;
		String branch = (body != null) ? LenientFields.text(body, EventFields.BRANCH) : event.branch();
		forgetIfMany(this.turns);
		BranchTimes turn = this.turns.computeIfAbsent(event.invocationId(), (name) -> new BranchTimes());
		if (event.usage() != null) {
			Instant begin = event.invocationId().isEmpty() ? null : turn.before(branch, event.time()).orElse(null);
			Sum model = sum(this.models, Objects.toString(event.model(), ""));
			model.calls++;
			model.add(begin, event.time(), event.failed());
		}
		turn.add(branch, event.time());
		if (body != null) {
			addFunctions(event, body);
		}
	}

	private void addFunctions(SpentEvent event, JsonObject body) {
		for (JsonObject call : FunctionParts.calls(body)) {
			sum(this.tools, LenientFields.text(call, "name")).calls++;
			forgetIfMany(this.calls);
			String id = LenientFields.text(call, "id");
			if (id.length() <= MAX_NAME_CHARS) {
				this.calls.put(id, event.time());
			}
		}
		if (!event.author().equals(EventFields.USER)) {
			for (JsonObject response : FunctionParts.responses(body)) {
				Instant begin = this.calls.remove(LenientFields.text(response, "id"));
				sum(this.tools, LenientFields.text(response, "name")).add(begin, event.time(),
						event.failed() && EventErrors.failed(response));
			}
		}
	}

	/** What a request keeps does not grow with a session. */
	private static void forgetIfMany(Map<String, ?> open) {
		if (open.size() >= MAX_OPEN) {
			open.clear();
		}
	}

	private static Sum sum(Map<String, Sum> sums, String name) {
		String known = (name.length() > MAX_NAME_CHARS || sums.size() >= MAX_NAMES && !sums.containsKey(name)) ? OTHERS
				: name;
		return sums.computeIfAbsent(known, (added) -> new Sum());
	}

	/** Returns the times of models, the most used one first. */
	List<Timing> models() {
		return timings(this.models);
	}

	/** Returns the times of tools, the most used one first. */
	List<Timing> tools() {
		return timings(this.tools);
	}

	private static List<Timing> timings(Map<String, Sum> sums) {
		return sums.entrySet()
			.stream()
			.map((sum) -> sum.getValue().toTiming(sum.getKey()))
			.sorted(Comparator.comparingLong((Timing timing) -> -timing.calls()).thenComparing(Timing::name))
			.toList();
	}

	/** The calls of a model or a tool. */
	private static final class Sum {

		private static final double HALF = 0.5;

		private static final double MOST = 0.95;

		private final List<Duration> durations = new ArrayList<>();

		private long calls;

		private long failed;

		void add(@Nullable Instant begin, Instant end, boolean failed) {
			this.failed += failed ? 1 : 0;
			if (begin != null) {
				this.durations.add(Duration.between(begin, end));
			}
		}

		Timing toTiming(String name) {
			List<Duration> sorted = this.durations.stream().sorted().toList();
			return new Timing(name, Math.max(this.calls, this.failed), this.failed, percentile(sorted, HALF),
					percentile(sorted, MOST));
		}

		/** Returns the least duration that this part of all does not exceed. */
		private static @Nullable Duration percentile(List<Duration> sorted, double part) {
			return sorted.isEmpty() ? null : sorted.get((int) Math.ceil(part * sorted.size()) - 1);
		}

	}

	/**
	 * The times of the newest events on the branches of a turn. Agents on branches beside
	 * each other work at the same time.
	 */
	public static final class BranchTimes {

		/** Events on further branches are left out. */
		private static final int MAX_BRANCHES = 200;

		private final Map<String, Instant> newest = new HashMap<>();

		/** Adds an event. */
		public void add(String branch, Instant time) {
			if (this.newest.size() < MAX_BRANCHES || this.newest.containsKey(branch)) {
				this.newest.merge(branch, time, (one, other) -> one.isAfter(other) ? one : other);
			}
		}

		/**
		 * Returns the time of the newest event before an event that is not on a branch
		 * beside its own.
		 */
		public Optional<Instant> before(String branch, Instant end) {
			return this.newest.entrySet()
				.stream()
				.filter((other) -> isOn(branch, other.getKey()) || isOn(other.getKey(), branch))
				.map(Map.Entry::getValue)
				.filter((time) -> !time.isAfter(end))
				.max(Comparator.naturalOrder());
		}

		private static boolean isOn(String branch, String outer) {
			return outer.isEmpty() || branch.equals(outer) || branch.startsWith(outer + ".");
		}

	}

}

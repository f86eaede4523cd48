package dev.agentsessions.linearizability;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * Writes down what clients asked and were answered, apart for each thing that has a
 * history.
 */
final class Recorder {

	/** The keys of shared state that clients use. */
	static final List<String> SHARED = List.of("app:a-0", "app:a-1", "user:u-0", "user:u-1");

	private static final String ABSENT = "";

	/** The ids of events and the values of keys, each of which is used once. */
	private static final Pattern NAMES = Pattern.compile("\\b[epv]\\d+\\b");

	private final Map<String, Queue<Operation<Kept>>> sessions = new ConcurrentHashMap<>();

	private final Map<String, Queue<Operation<String>>> shared = new ConcurrentHashMap<>();

	/** When erasures of each user were answered, by their numbers. */
	private final Map<String, Map<Long, Long>> erasures = new ConcurrentHashMap<>();

	/** The names of events and values that an answer has shown. */
	private final Set<String> shown = ConcurrentHashMap.newKeySet();

	private final Queue<String> faults = new ConcurrentLinkedQueue<>();

	private final long start = System.nanoTime();

	private final AtomicLong numbers = new AtomicLong();

	/** A number that nobody else gets. */
	long next() {
		return this.numbers.incrementAndGet();
	}

	/** When something was, in milliseconds since the beginning. */
	double millis(long nanos) {
		return (nanos - this.start) / 1e6;
	}

	/** What was to change a session; without an answer it may have happened or not. */
	void session(Slot slot, Exchange exchange, Function<Kept, List<Kept>> step) {
		session(slot)
			.add(exchange.isAnswered() ? Operation.changed(exchange.text(), exchange.from(), exchange.until(), step)
					: Operation.unanswered(exchange.text(), exchange.from(), step));
	}

	/** What was seen of a session, or refused because of it. */
	void read(Slot slot, Exchange exchange, Function<Kept, List<Kept>> step) {
		session(slot).add(Operation.seen(exchange.text(), exchange.from(), exchange.until(), step));
	}

	/** The end of a session, so long after a request that set it. */
	void end(Slot slot, Exchange exchange, long end, long from, long until) {
		String text = "end set by: " + exchange.text();
		Function<Kept, List<Kept>> step = (kept) -> List.of((kept.end() == end) ? Kept.NOTHING : kept);
		session(slot)
			.add(exchange.isAnswered() ? Operation.changed(text, exchange.from() + from, exchange.until() + until, step)
					: Operation.unanswered(text, exchange.from() + from, step));
	}

	/** Changes of shared state; uncertain ones may have happened or not. */
	void wrote(String user, Map<String, String> changes, Exchange exchange, boolean certain) {
		changes.forEach((key, value) -> {
			String written = value.equals(Kept.REMOVED) ? ABSENT : value;
			Function<String, List<String>> step = (before) -> List.of(written);
			shared(user, key).add((certain && exchange.isAnswered())
					? Operation.changed(exchange.text(), exchange.from(), exchange.until(), step)
					: Operation.unanswered(exchange.text(), exchange.from(), step));
		});
	}

	/** Shared state as an answer shows it, keys with prefixes. */
	void saw(String user, JsonNode state, Exchange exchange) {
		SHARED.forEach((key) -> saw(user, key, state.path(key), exchange));
	}

	/** One key as an answer shows it. */
	void saw(String user, String key, JsonNode value, Exchange exchange) {
		String seen = value.isMissingNode() ? ABSENT : value.toString();
		shared(user, key).add(Operation.seen(exchange.text() + " with " + key + "=" + seen, exchange.from(),
				exchange.until(), (before) -> before.equals(seen) ? List.of(before) : List.of()));
	}

	/** Remembers which events and values an answer shows. */
	void show(String body) {
		NAMES.matcher(body).results().map(MatchResult::group).forEach(this.shown::add);
	}

	/**
	 * Whether an operation cannot have been noticed: it was not answered, and no answer
	 * shows an event or a value of it.
	 */
	boolean isUnnoticed(Operation<?> operation) {
		List<String> names = NAMES.matcher(operation.text()).results().map(MatchResult::group).toList();
		return !operation.certain() && !names.isEmpty() && Collections.disjoint(names, this.shown);
	}

	void fault(String text) {
		this.faults.add(text);
	}

	/** Notes that somebody is about to erase a user, and gives it a number. */
	long beginErasure(String user) {
		long number = next();
		this.erasures.computeIfAbsent(user, (unknown) -> new ConcurrentHashMap<>()).put(number, Operation.NEVER);
		return number;
	}

	/** Without an answer, it may still come. */
	void endErasure(String user, long number, Exchange exchange) {
		if (exchange.isAnswered()) {
			this.erasures.getOrDefault(user, Map.of()).put(number, exchange.until());
		}
	}

	/** Whether somebody may have erased a user since a moment. */
	boolean mayHaveErased(String user, long since) {
		return this.erasures.getOrDefault(user, Map.of()).values().stream().anyMatch((until) -> until >= since);
	}

	/** Whether a client may have erased a user, whichever it is, since this time. */
	boolean mayHaveErased(long since) {
		return this.erasures.keySet().stream().anyMatch((user) -> mayHaveErased(user, since));
	}

	Map<String, Queue<Operation<Kept>>> sessions() {
		return new TreeMap<>(this.sessions);
	}

	Map<String, Queue<Operation<String>>> shared() {
		return new TreeMap<>(this.shared);
	}

	Collection<String> faults() {
		return this.faults;
	}

	private Queue<Operation<Kept>> session(Slot slot) {
		return this.sessions.computeIfAbsent(slot.id(), (id) -> new ConcurrentLinkedQueue<>());
	}

	private Queue<Operation<String>> shared(String user, String key) {
		String name = key.startsWith("app:") ? key : user + " " + key;
		return this.shared.computeIfAbsent(name, (unknown) -> new ConcurrentLinkedQueue<>());
	}

}

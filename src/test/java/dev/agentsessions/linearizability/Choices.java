package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/** What a client makes up: events, values and demands. */
final class Choices {

	private static final List<String> OLD_TIMES = List.of("0001-01-01T00:00:00Z", "1066-10-14T09:00:00Z",
			"1582-10-04T23:59:59Z");

	private final World world;

	private final Random random;

	Choices(World world, Random random) {
		this.world = world;
		this.random = random;
	}

	/** What somebody demands who knows the session well, or from long ago. */
	Condition condition(Slot slot, boolean whole) {
		int age = maybe(75) ? 0 : 5;
		Tag tag = slot.tags().stream().skip(age).findFirst().orElse(Tag.ofRevision(this.random.nextInt(5)));
		String time = slot.times().stream().skip(age).findFirst().orElse(null);
		return switch (this.random.nextInt((time != null) ? 3 : 2)) {
			case 0 -> new Condition(tag, null, whole);
			case 1 -> new Condition(Tag.ofRevision(tag.revision()), null, whole);
			default -> new Condition(null, time, whole);
		};
	}

	/** The number of a lease that somebody has, or had; {@code null} if none is known. */
	@Nullable Long lease(Slot slot) {
		return slot.leases().stream().skip(maybe(80) ? 0 : 1).findFirst().orElse(null);
	}

	String holder() {
		return "holder-" + this.random.nextInt(3);
	}

	/** An event that sets some keys and removes others. */
	Draft drafted(Slot slot, int size) {
		Map<String, String> delta = new TreeMap<>();
		delta.put("s-" + this.random.nextInt(2), value());
		if (maybe(50)) {
			delta.put("s-" + this.random.nextInt(3), value());
		}
		if (slot.users().size() == 1 && maybe(25)) {
			delta.put(oneOf(Recorder.SHARED), value());
		}
		long number = this.world.recorder().next();
		return new Draft(Events.token("e" + number, slot.id()), delta, "x".repeat(size));
	}

	/** A function call that waits, or an answer to one. */
	Draft callOrAnswer(Slot slot) {
		long number = this.world.recorder().next();
		List<String> calls = slot.sent()
			.stream()
			.flatMap(List::stream)
			.map((draft) -> Events.id(draft.token()))
			.filter(Events::isCall)
			.toList();
		String id = (calls.isEmpty() || maybe(50)) ? Events.idOfCall(number) : Events.idOfAnswer(oneOf(calls), number);
		return new Draft(Events.token(id, "0"), Map.of(), "");
	}

	Draft old() {
		long number = this.world.recorder().next();
		return new Draft(Events.token("e" + number, "old@" + oneOf(OLD_TIMES)), Map.of("s-0", value()), "");
	}

	private String value() {
		int dice = this.random.nextInt(10);
		return (dice < 3) ? Kept.REMOVED : (dice == 3) ? "null" : "\"v" + this.world.recorder().next() + "\"";
	}

	int below(int bound) {
		return this.random.nextInt(bound);
	}

	long below(long bound) {
		return this.random.nextLong(bound);
	}

	boolean maybe(int percent) {
		return this.random.nextInt(100) < percent;
	}

	<T> T oneOf(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

}

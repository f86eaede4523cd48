package dev.agentsessions.history;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/** One of many clients that do at random whatever may be done. */
final class Client implements Runnable {

	private static final List<String> OLD_TIMES = List.of("0001-01-01T00:00:00Z", "1066-10-14T09:00:00Z",
			"1582-10-04T23:59:59Z");

	private static final int LARGE = 70_000;

	private static final int MANY = 1010;

	private final World world;

	private final Random random;

	private final BooleanSupplier more;

	private final Appends appends;

	private final Lives lives;

	private final Reads reads;

	/**
	 * Creates a client.
	 * @param more whether it shall go on
	 */
	Client(World world, Replicas replicas, Random random, BooleanSupplier more) {
		Sender sender = new Sender(replicas, world.recorder(), random);
		this.world = world;
		this.random = random;
		this.more = more;
		this.appends = new Appends(world, sender);
		this.lives = new Lives(world, sender);
		this.reads = new Reads(world, sender, replicas, random);
	}

	@Override
	public void run() {
		while (this.more.getAsBoolean()) {
			try {
				step(maybe(8) ? this.world.longest() : oneOf(this.world.slots()), this.random.nextInt(100));
			}
			catch (RuntimeException | AssertionError ex) {
				this.world.recorder().fault("Not as expected: " + ex);
			}
		}
	}

	private void step(Slot slot, int dice) {
		if (dice < 25) {
			bearOrBury(slot, dice);
		}
		else if (slot.kind() == Slot.Kind.LONG) {
			this.reads.slowly(slot);
		}
		else if (dice < 65) {
			write(slot, dice);
		}
		else if (dice < 90) {
			this.reads.any(slot);
		}
		else if (dice < 97) {
			shared(slot);
		}
		else if (maybe(50)) {
			this.reads.list(slot.user());
		}
		else {
			this.reads.sharedState(slot.user(), maybe(50) ? "app:" : "user:");
		}
	}

	private void bearOrBury(Slot slot, int dice) {
		boolean vertex = slot.kind() == Slot.Kind.CONTESTED || maybe(20);
		if (dice < 15) {
			create(slot, vertex);
		}
		else if (dice == 24 && maybe(10)) {
			this.lives.erase(slot.user());
		}
		else if (vertex) {
			this.lives.deleteInVertex(slot);
		}
		else {
			this.lives.delete(slot, maybe(70) ? Condition.NONE : condition(slot, true).tagOnly());
		}
	}

	private void create(Slot slot, boolean vertex) {
		String ttl = (slot.kind() == Slot.Kind.ENDING) ? "0." + (3 + this.random.nextInt(7)) : null;
		if (vertex) {
			this.lives.createInVertex(slot, oneOf(slot.users()), drafted(slot, 0).delta(), ttl);
		}
		else {
			this.lives.create(slot, drafted(slot, 0).delta(), initial(slot), ttl);
		}
	}

	private List<Draft> initial(Slot slot) {
		if (slot.kind() == Slot.Kind.LONG) {
			return maybe(40) ? this.lives.many(MANY) : this.lives.late();
		}
		return this.random.ints(this.random.nextInt(3)).mapToObj((i) -> old()).toList();
	}

	private void write(Slot slot, int dice) {
		Condition condition = maybe(50) ? Condition.NONE : condition(slot, false);
		List<Draft> sent = slot.sent().isEmpty() ? List.of() : oneOf(List.copyOf(slot.sent()));
		if (slot.kind() == Slot.Kind.CONTESTED || dice < 30) {
			this.appends.appendInVertex(slot, drafted(slot, 0));
		}
		else if (dice < 35 && !sent.isEmpty()) {
			this.appends.append(slot, maybe(30) ? List.of(sent.get(0).changed()) : sent, condition, true);
		}
		else if (dice < 38 && !sent.isEmpty()) {
			this.appends.append(slot, List.of(sent.get(0), drafted(slot, 0).alone()), condition, true);
		}
		else if (dice < 43) {
			this.appends.append(slot, List.of(drafted(slot, 0), drafted(slot, 0), drafted(slot, 0)), condition, false);
		}
		else if (dice < 53) {
			patch(slot);
		}
		else {
			this.appends.append(slot, List.of(drafted(slot, maybe(20) ? LARGE : 0)), condition, false);
		}
	}

	private void patch(Slot slot) {
		boolean changes = maybe(75);
		String name = (!changes || maybe(50)) ? "name " + this.world.recorder().next() : null;
		String ttl = (slot.kind() == Slot.Kind.ENDING && name != null && maybe(30))
				? "0." + (1 + this.random.nextInt(9)) : null;
		Condition condition = maybe(60) ? Condition.NONE : condition(slot, name != null);
		this.appends.patch(slot, changes ? drafted(slot, 0).delta() : null, name, ttl, condition);
	}

	private void shared(Slot slot) {
		this.appends.patchShared(slot.user(), maybe(50) ? "app:" : "user:", this.random.nextInt(2), maybe(30));
	}

	/** What somebody demands who knows the session well, or from long ago. */
	private Condition condition(Slot slot, boolean whole) {
		int age = maybe(75) ? 0 : 5;
		Tag tag = slot.tags().stream().skip(age).findFirst().orElse(Tag.ofRevision(this.random.nextInt(5)));
		String time = slot.times().stream().skip(age).findFirst().orElse(null);
		return switch (this.random.nextInt((time != null) ? 3 : 2)) {
			case 0 -> new Condition(tag, null, whole);
			case 1 -> new Condition(Tag.ofRevision(tag.revision()), null, whole);
			default -> new Condition(null, time, whole);
		};
	}

	/** An event that sets some keys and removes others. */
	private Draft drafted(Slot slot, int size) {
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

	private Draft old() {
		long number = this.world.recorder().next();
		return new Draft(Events.token("e" + number, "old@" + oneOf(OLD_TIMES)), Map.of("s-0", value()), "");
	}

	private String value() {
		int dice = this.random.nextInt(10);
		return (dice < 3) ? Kept.REMOVED : (dice == 3) ? "null" : "\"v" + this.world.recorder().next() + "\"";
	}

	private boolean maybe(int percent) {
		return this.random.nextInt(100) < percent;
	}

	private <T> T oneOf(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

}

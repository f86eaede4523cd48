package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** What a client does in a {@linkplain Mix mix} that is not everything. */
final class Specialist {

	/** Sessions end together at multiples of this. */
	private static final long TIDE = 150_000_000;

	/** Those that live shorter are not worth it. */
	private static final long SHORTEST_LIFE = 40_000_000;

	/** However fast it is, a write that begins before the end shall end behind it. */
	private static final long SHORTLY_BEFORE = 12_000_000;

	private static final int LARGE = 70_000;

	private static final int SOME = 300;

	private static final int MANY = 1010;

	private final World world;

	private final Choices choices;

	private final Appends appends;

	private final Lives lives;

	private final Leases leases;

	private final Reads reads;

	private final Returns returns;

	private final Searching searching;

	private final Saving saving;

	private final int number;

	/** About so long a write takes, in nanoseconds. */
	private long latency;

	Specialist(World world, Choices choices, Appends appends, Lives lives, Leases leases, Reads reads, Returns returns,
			Searching searching, Saving saving, int number) {
		this.world = world;
		this.choices = choices;
		this.appends = appends;
		this.lives = lives;
		this.leases = leases;
		this.reads = reads;
		this.returns = returns;
		this.searching = searching;
		this.saving = saving;
		this.number = number;
	}

	void step() {
		Slot slot = this.choices.oneOf(this.world.slots());
		switch (this.world.mix()) {
			case ENDS -> end(slot);
			case CONTESTS -> contest(slot);
			case REMOVALS -> remove(slot);
			case LEASES -> lease(slot);
			case RETURNS -> this.returns.step();
			case SEARCHES -> this.searching.step();
			case ARTIFACTS -> this.saving.step();
			case REPLACEMENTS -> replace(this.world.slots().get(this.number % this.world.slots().size()));
			default -> throw new IllegalStateException(this.world.mix() + " is no speciality");
		}
	}

	private void end(Slot slot) {
		long left = slot.end() - System.nanoTime();
		if (left < 0) {
			this.lives.create(slot, Map.of("s-first", "1"), List.of(), lifeUntilTheTide());
			return;
		}
		LockSupport.parkNanos(left - this.choices.below(SHORTLY_BEFORE + 2 * this.latency));
		long start = System.nanoTime();
		writeAtTheEnd(slot);
		this.latency = (3 * this.latency + System.nanoTime() - start) / 4;
	}

	private void writeAtTheEnd(Slot slot) {
		if (this.choices.maybe(80)) {
			this.appends.append(slot, List.of(this.choices.drafted(slot, this.choices.maybe(10) ? LARGE : 0)),
					Condition.NONE, false);
		}
		else {
			this.appends.patch(slot, this.choices.drafted(slot, 0).delta(), null, null, Condition.NONE);
		}
	}

	private static String lifeUntilTheTide() {
		long life = TIDE - System.nanoTime() % TIDE;
		return String.format(Locale.ROOT, "%.3f", ((life < SHORTEST_LIFE) ? life + TIDE : life) / 1e9);
	}

	private void contest(Slot slot) {
		switch (this.choices.below(5)) {
			case 0, 1 -> this.lives.createInVertex(slot, this.choices.oneOf(slot.users()), Map.of("s-0", "1"), null);
			case 2, 3 -> this.lives.deleteInVertex(slot);
			default -> this.reads.any(slot);
		}
	}

	private void remove(Slot slot) {
		switch (this.choices.below(10)) {
			case 0 -> this.lives.create(slot, Map.of(), List.of(), null);
			case 1, 2 -> this.appends.append(slot, List.of(this.choices.drafted(slot, LARGE)), Condition.NONE, false);
			case 3, 4 -> this.appends.patch(slot, this.choices.drafted(slot, 0).delta(), "name", null, Condition.NONE);
			case 5, 6 -> this.appends.append(slot, List.of(this.choices.drafted(slot, 0)), Condition.NONE, false);
			case 7 -> this.appends.append(slot,
					List.of(this.choices.drafted(slot, 0), this.choices.drafted(slot, LARGE)), Condition.NONE, false);
			default -> this.reads.session(slot, 0);
		}
	}

	private void lease(Slot slot) {
		Long known = this.choices.lease(slot);
		Condition condition = (this.choices.maybe(80) ? Condition.NONE : this.choices.condition(slot, false))
			.under(known);
		switch (this.choices.below(12)) {
			case 0 -> this.lives.create(slot, Map.of(), List.of(), null);
			case 1 -> this.lives.delete(slot, Condition.NONE);
			case 2, 3 -> this.leases.acquire(slot, this.choices.holder(), this.choices.maybe(30), null);
			case 4 -> this.leases.acquire(slot, this.choices.holder(), this.choices.maybe(30), known);
			case 5, 6 -> this.leases.release(slot, (known != null) ? known : 17);
			case 7 -> this.appends.patch(slot, this.choices.maybe(50) ? this.choices.drafted(slot, 0).delta() : null,
					"name", null, condition);
			case 8 -> this.appends.append(slot, List.of(this.choices.drafted(slot, 0), this.choices.drafted(slot, 0)),
					condition, false);
			case 9 -> this.appends.append(slot, List.of(this.choices.drafted(slot, 0)), Condition.NONE, false);
			default -> this.appends.append(slot,
					List.of(this.choices.drafted(slot, this.choices.maybe(20) ? LARGE : 0)), condition, false);
		}
	}

	/** One client replaces sessions, the others read or remove them, too. */
	private void replace(Slot slot) {
		if (this.number >= this.world.slots().size()) {
			if (this.choices.maybe(20)) {
				this.lives.delete(slot, Condition.NONE);
			}
			else {
				this.reads.slowly(slot);
			}
			return;
		}
		this.lives.delete(slot, Condition.NONE);
		this.lives.create(slot, Map.of(), this.lives.many(this.choices.maybe(80) ? SOME : MANY), null);
		LockSupport.parkNanos(this.choices.below(150_000_000L));
		this.lives.delete(slot, Condition.NONE);
		this.lives.create(slot, Map.of(), this.lives.late(), this.choices.maybe(30) ? "0.05" : null);
		LockSupport.parkNanos(this.choices.below(100_000_000L));
	}

}

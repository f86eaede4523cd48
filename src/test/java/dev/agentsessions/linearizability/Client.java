package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/** One of many clients that do at random whatever may be done. */
final class Client implements Runnable {

	private static final int SHORTLY_BEFORE = 50_000_000;

	private static final int LARGE = 70_000;

	private static final int MANY = 1010;

	private final World world;

	private final Random random;

	private final Choices choices;

	private final BooleanSupplier more;

	private final Appends appends;

	private final Lives lives;

	private final Leases leases;

	private final Reads reads;

	private final TimeTravel timeTravel;

	private final Transfers transfers;

	private final Views views;

	private final Searches searches;

	private final Artifacts artifacts;

	private final Specialist specialist;

	/**
	 * Creates a client.
	 * @param more whether it shall go on
	 * @param number which of the clients it is
	 */
	Client(World world, Replicas replicas, Random random, BooleanSupplier more, int number) {
		Sender sender = new Sender(replicas, world.recorder(), random);
		this.world = world;
		this.random = random;
		this.choices = new Choices(world, random);
		this.more = more;
		this.appends = new Appends(world, sender);
		this.lives = new Lives(world, sender);
		this.leases = new Leases(world, sender);
		this.reads = new Reads(world, sender, replicas, random);
		this.artifacts = new Artifacts(world, sender, this.choices);
		this.timeTravel = new TimeTravel(world, sender, random, this.artifacts);
		this.transfers = new Transfers(world, sender);
		this.views = new Views(world, sender, replicas, random);
		this.searches = new Searches(world, sender, random);
		this.specialist = new Specialist(world, this.choices, this.appends, this.lives, this.leases, this.reads,
				new Returns(world, this.choices, this.appends, this.lives, this.timeTravel, this.transfers, this.views),
				new Searching(world, this.choices, this.appends, this.lives, this.timeTravel, this.transfers,
						this.searches),
				new Saving(world, this.choices, this.appends, this.lives, this.timeTravel, this.artifacts), number);
	}

	@Override
	public void run() {
		while (this.more.getAsBoolean()) {
			try {
				step();
			}
			catch (RuntimeException | AssertionError ex) {
				this.world.recorder().fault("Not as expected: " + ex);
			}
		}
	}

	private void step() {
		if (this.world.mix() != Mix.EVERYTHING) {
			this.specialist.step();
			return;
		}
		step(this.choices.maybe(8) ? this.world.longest() : this.choices.oneOf(this.world.allSlots()),
				this.random.nextInt(100));
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
			read(slot, dice);
		}
		else if (dice < 95) {
			shared(slot);
		}
		else if (dice < 97) {
			lease(slot);
		}
		else if (this.choices.maybe(40)) {
			this.reads.list(slot.user());
		}
		else if (this.choices.maybe(30)) {
			this.transfers.export(slot.user());
		}
		else if (this.choices.maybe(50)) {
			this.transfers.restore(slot);
		}
		else {
			this.reads.sharedState(slot.user(), this.choices.maybe(50) ? "app:" : "user:");
		}
	}

	private void read(Slot slot, int dice) {
		if (dice < 76 || slot.kind() == Slot.Kind.CONTESTED) {
			this.reads.any(slot);
		}
		else if (dice < 80) {
			this.searches.one(slot, slot.user());
		}
		else if (dice < 84) {
			this.views.any(slot);
		}
		else if (dice < 88) {
			this.timeTravel.read(slot);
		}
		else {
			this.timeTravel.fork(slot, this.choices.maybe(60) ? Condition.NONE : this.choices.condition(slot, false));
		}
	}

	private void bearOrBury(Slot slot, int dice) {
		if (slot.kind() == Slot.Kind.FORK) {
			buryFork(slot, dice);
			return;
		}
		boolean vertex = slot.kind() == Slot.Kind.CONTESTED || this.choices.maybe(20);
		if (dice < 15) {
			create(slot, vertex);
		}
		else if (dice == 24 && this.choices.maybe(10)) {
			this.lives.erase(slot.user());
		}
		else if (vertex) {
			this.lives.deleteInVertex(slot);
		}
		else {
			this.lives.delete(slot,
					this.choices.maybe(70) ? Condition.NONE : this.choices.condition(slot, true).tagOnly());
		}
	}

	private void buryFork(Slot slot, int dice) {
		if (dice < 4) {
			this.lives.delete(slot, Condition.NONE);
			this.world.forks().remove(slot);
		}
		else {
			this.views.any(slot);
		}
	}

	private void create(Slot slot, boolean vertex) {
		String ttl = (slot.kind() == Slot.Kind.ENDING) ? "0." + (3 + this.random.nextInt(7)) : null;
		if (vertex) {
			this.lives.createInVertex(slot, this.choices.oneOf(slot.users()), this.choices.drafted(slot, 0).delta(),
					ttl);
		}
		else {
			this.lives.create(slot, this.choices.drafted(slot, 0).delta(), initial(slot), ttl);
		}
	}

	private List<Draft> initial(Slot slot) {
		if (slot.kind() == Slot.Kind.LONG) {
			return this.choices.maybe(40) ? this.lives.many(MANY) : this.lives.late();
		}
		return this.random.ints(this.random.nextInt(3)).mapToObj((i) -> this.choices.old()).toList();
	}

	/** Writes that begin before the end of a session and are not done by then. */
	private void awaitTheEnd(Slot slot) {
		long left = slot.end() - System.nanoTime();
		if (left > 0 && this.choices.maybe(50)) {
			LockSupport.parkNanos(left - this.random.nextInt(SHORTLY_BEFORE));
		}
	}

	private void write(Slot slot, int dice) {
		awaitTheEnd(slot);
		Condition condition = (this.choices.maybe(50) ? Condition.NONE : this.choices.condition(slot, false))
			.under(this.choices.maybe(10) ? this.choices.lease(slot) : null);
		List<Draft> sent = slot.sent().isEmpty() ? List.of() : this.choices.oneOf(List.copyOf(slot.sent()));
		if (slot.kind() == Slot.Kind.CONTESTED || dice < 30) {
			this.appends.appendInVertex(slot, this.choices.drafted(slot, 0));
		}
		else if (dice < 35 && !sent.isEmpty()) {
			this.appends.append(slot, this.choices.maybe(30) ? List.of(sent.get(0).changed()) : sent, condition, true);
		}
		else if (dice < 38 && !sent.isEmpty()) {
			this.appends.append(slot, List.of(sent.get(0), this.choices.drafted(slot, 0).alone()), condition, true);
		}
		else if (dice < 43) {
			this.appends.append(slot, List.of(this.choices.drafted(slot, 0), this.choices.drafted(slot, 0),
					this.choices.drafted(slot, 0)), condition, false);
		}
		else if (dice < 53) {
			patch(slot);
		}
		else if (dice < 55 && !sent.isEmpty() && slot.kind() != Slot.Kind.FORK) {
			this.timeTravel.rewind(slot, sent.get(0).token(), condition);
		}
		else if (dice < 59) {
			this.appends.append(slot, List.of(this.choices.callOrAnswer(slot)), condition, false);
		}
		else {
			this.appends.append(slot, List.of(this.choices.drafted(slot, this.choices.maybe(20) ? LARGE : 0)),
					condition, false);
		}
	}

	private void patch(Slot slot) {
		boolean changes = this.choices.maybe(75);
		String name = (!changes || this.choices.maybe(50)) ? "name " + this.world.recorder().next() : null;
		String ttl = (slot.kind() == Slot.Kind.ENDING && name != null && this.choices.maybe(30))
				? "0." + (1 + this.random.nextInt(9)) : null;
		Condition condition = this.choices.maybe(60) ? Condition.NONE : this.choices.condition(slot, false);
		this.appends.patch(slot, changes ? this.choices.drafted(slot, 0).delta() : null, name, ttl, condition);
	}

	/** Not exclusive, so that others go on as well. */
	private void lease(Slot slot) {
		Long known = this.choices.lease(slot);
		if (known != null && this.choices.maybe(50)) {
			this.leases.release(slot, known);
		}
		else {
			this.leases.acquire(slot, this.choices.holder(), false, this.choices.maybe(70) ? null : known);
		}
	}

	private void shared(Slot slot) {
		this.appends.patchShared(slot.user(), this.choices.maybe(50) ? "app:" : "user:", this.random.nextInt(2),
				this.choices.maybe(30));
	}

}

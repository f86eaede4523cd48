package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * What a client does where others search: sessions come and go, are rewound, hidden and
 * forked, and events are forgotten.
 */
final class Searching {

	private static final long SHORTLY_AFTER = 10_000_000;

	private final World world;

	private final Choices choices;

	private final Appends appends;

	private final Lives lives;

	private final TimeTravel timeTravel;

	private final Transfers transfers;

	private final Searches searches;

	Searching(World world, Choices choices, Appends appends, Lives lives, TimeTravel timeTravel, Transfers transfers,
			Searches searches) {
		this.world = world;
		this.choices = choices;
		this.appends = appends;
		this.lives = lives;
		this.timeTravel = timeTravel;
		this.transfers = transfers;
		this.searches = searches;
	}

	void step() {
		Slot slot = this.choices.oneOf(this.world.allSlots());
		switch (this.choices.below(26)) {
			case 0 -> begin(slot);
			case 1 -> end(slot);
			case 2 -> this.transfers.export(slot.user());
			case 3 -> this.transfers.restore(slot);
			case 4 -> this.timeTravel.fork(slot, Condition.NONE);
			case 5, 6 -> rewind(slot);
			case 7 -> hide(slot);
			case 8 -> this.searches.forget(slot);
			case 9, 10, 11, 12, 13 -> append(slot);
			case 14 -> this.searches.all(this.choices.oneOf(World.USERS));
			case 15 -> erase(slot);
			case 16, 17 -> outlive();
			default -> this.searches.one(slot, this.choices.oneOf(slot.users()));
		}
	}

	private void begin(Slot slot) {
		if (slot.kind() == Slot.Kind.CONTESTED) {
			this.lives.createInVertex(slot, this.choices.oneOf(slot.users()), Map.of("s-0", "1"), null);
		}
		else if (slot.kind() != Slot.Kind.FORK) {
			this.lives.create(slot, Map.of("s-first", "1"),
					List.of(this.choices.drafted(slot, 0).alone(), this.choices.drafted(slot, 0).alone()),
					(slot.kind() == Slot.Kind.ENDING) ? "0." + (1 + this.choices.below(5)) : null);
		}
	}

	/** Searches a session right after its end, before its rows are removed. */
	private void outlive() {
		Slot slot = this.choices
			.oneOf(this.world.slots().stream().filter((ending) -> ending.kind() == Slot.Kind.ENDING).toList());
		begin(slot);
		LockSupport.parkNanos(slot.end() - System.nanoTime() + Lives.TOLERANCE + this.choices.below(SHORTLY_AFTER));
		this.searches.one(slot, slot.user());
	}

	private void end(Slot slot) {
		if (slot.kind() == Slot.Kind.CONTESTED) {
			this.lives.deleteInVertex(slot);
		}
		else {
			this.lives.delete(slot, Condition.NONE);
			this.world.forks().remove(slot);
		}
	}

	private void append(Slot slot) {
		if (slot.kind() == Slot.Kind.CONTESTED) {
			this.appends.appendInVertex(slot, this.choices.drafted(slot, 0));
		}
		else {
			this.appends.append(slot, List.of(this.choices.drafted(slot, 0)), Condition.NONE, false);
		}
	}

	private void rewind(Slot slot) {
		if (slot.kind() != Slot.Kind.FORK && !slot.sent().isEmpty()) {
			this.timeTravel.rewind(slot, this.choices.oneOf(List.copyOf(slot.sent())).get(0).token(), Condition.NONE);
		}
	}

	private void hide(Slot slot) {
		if (slot.users().size() == 1) {
			String name = this.choices.maybe(50) ? Searches.HIDDEN : "shown";
			this.appends.patch(slot, null, name + " " + this.world.recorder().next(), null, Condition.NONE);
		}
	}

	private void erase(Slot slot) {
		if (this.choices.maybe(5)) {
			this.lives.erase(slot.user());
		}
	}

}

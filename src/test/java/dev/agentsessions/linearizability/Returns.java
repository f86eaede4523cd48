package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;

/**
 * What a client does where sessions come back: they are exported, removed, imported,
 * forked and watched.
 */
final class Returns {

	private static final int MANY = 1010;

	private final World world;

	private final Choices choices;

	private final Appends appends;

	private final Lives lives;

	private final TimeTravel timeTravel;

	private final Transfers transfers;

	private final Views views;

	Returns(World world, Choices choices, Appends appends, Lives lives, TimeTravel timeTravel, Transfers transfers,
			Views views) {
		this.world = world;
		this.choices = choices;
		this.appends = appends;
		this.lives = lives;
		this.timeTravel = timeTravel;
		this.transfers = transfers;
		this.views = views;
	}

	void step() {
		Slot slot = this.choices.oneOf(this.world.allSlots());
		switch (this.choices.below(12)) {
			case 0 -> create(slot);
			case 1 -> this.lives.delete(slot, Condition.NONE);
			case 2 -> this.transfers.export(slot.user());
			case 3, 4 -> this.transfers.restore(slot);
			case 5 -> this.timeTravel.fork(slot, Condition.NONE);
			case 6 -> this.appends.append(slot, List.of(this.choices.callOrAnswer(slot)), Condition.NONE, false);
			case 7 -> write(slot);
			case 8 -> erase(slot);
			default -> this.views.any(slot);
		}
		if (slot.kind() == Slot.Kind.FORK && this.choices.maybe(10)) {
			this.lives.delete(slot, Condition.NONE);
			this.world.forks().remove(slot);
		}
	}

	private void create(Slot slot) {
		if (slot.kind() != Slot.Kind.FORK) {
			this.lives.create(slot, Map.of("s-first", "1"),
					(slot.kind() == Slot.Kind.LONG) ? this.lives.many(MANY) : List.of(), null);
		}
	}

	private void write(Slot slot) {
		if (slot.kind() == Slot.Kind.FORK || slot.sent().isEmpty() || this.choices.maybe(60)) {
			this.appends.append(slot, List.of(this.choices.drafted(slot, 0)), Condition.NONE, false);
		}
		else {
			this.timeTravel.rewind(slot, this.choices.oneOf(List.copyOf(slot.sent())).get(0).token(), Condition.NONE);
		}
	}

	private void erase(Slot slot) {
		if (this.choices.maybe(10)) {
			this.lives.erase(slot.user());
		}
		else {
			this.views.any(slot);
		}
	}

}

package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;

import dev.agentsessions.linearizability.Slot.Kind;

/** What a client does where artifacts are saved. */
final class Saving {

	private final World world;

	private final Choices choices;

	private final Appends appends;

	private final Lives lives;

	private final TimeTravel timeTravel;

	private final Artifacts artifacts;

	Saving(World world, Choices choices, Appends appends, Lives lives, TimeTravel timeTravel, Artifacts artifacts) {
		this.world = world;
		this.choices = choices;
		this.appends = appends;
		this.lives = lives;
		this.timeTravel = timeTravel;
		this.artifacts = artifacts;
	}

	void step() {
		Slot slot = this.choices.oneOf(this.world.slots());
		switch (this.choices.below(20)) {
			case 0, 1 -> this.lives.create(slot, Map.of(), List.of(),
					(slot.kind() == Kind.ENDING) ? "0." + (3 + this.choices.below(7)) : null);
			case 2 -> this.lives.delete(slot, Condition.NONE);
			case 3 -> erase(slot);
			case 4, 5, 6 -> this.appends.append(slot, List.of(this.choices.drafted(slot, 0)), Condition.NONE, false);
			case 7, 8 -> rewind(slot);
			case 9, 10 -> this.timeTravel.fork(slot, Condition.NONE);
			default -> this.artifacts.any(slot);
		}
	}

	private void erase(Slot slot) {
		if (this.choices.maybe(20)) {
			this.lives.erase(slot.user());
		}
	}

	private void rewind(Slot slot) {
		if (!slot.sent().isEmpty()) {
			this.timeTravel.rewind(slot, this.choices.oneOf(List.copyOf(slot.sent())).get(0).token(), Condition.NONE);
		}
	}

}

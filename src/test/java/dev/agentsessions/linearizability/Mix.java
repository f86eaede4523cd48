package dev.agentsessions.linearizability;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.agentsessions.linearizability.Slot.Kind;

/**
 * What clients of a round do most. Everything at once finds what nobody has thought of;
 * each of the others has many chances to find what is rare.
 */
enum Mix {

	/** All that there is, at random. */
	EVERYTHING(3, 3, 2, 1),

	/** Many sessions end together, while others still write to them, and begin again. */
	ENDS(0, 40, 0, 0),

	/** Two users want the same ids in the dialect that names no user. */
	CONTESTS(0, 0, 4, 0),

	/** Keys are set and removed in every way of writing, all in two sessions. */
	REMOVALS(2, 0, 0, 0),

	/** Turns are taken, kept and given back, and others do not wait for theirs. */
	LEASES(2, 0, 0, 0),

	/** Sessions are exported, removed, imported, forked and watched. */
	RETURNS(2, 0, 0, 1),

	/**
	 * Long sessions are removed by several clients and replaced by others, some of which
	 * end by themselves, while they are read slowly.
	 */
	REPLACEMENTS(0, 0, 0, 3),

	/**
	 * Sessions are searched while they come and go, are rewound, hidden and forked, and
	 * right after their end.
	 */
	SEARCHES(2, 4, 1, 0),

	/**
	 * Artifacts are saved, deleted, forked and rewound while their sessions come, end and
	 * go.
	 */
	ARTIFACTS(2, 2, 0, 0);

	private final List<Slot> slots;

	Mix(int lasting, int ending, int contested, int length) {
		this.slots = Stream
			.of(slots("lasting", Kind.LASTING, lasting), slots("ending", Kind.ENDING, ending),
					slots("contested", Kind.CONTESTED, contested), slots("long", Kind.LONG, length))
			.flatMap((slots) -> slots)
			.toList();
	}

	/** The ids of its sessions, where nobody has been. */
	List<Slot> newSlots() {
		return this.slots.stream().map((slot) -> new Slot(slot.id(), slot.kind(), slot.users())).toList();
	}

	/** Which mix a round with this seed has; those of following seeds take turns. */
	static Mix of(long seed) {
		return values()[(int) Math.floorMod(seed, (long) values().length)];
	}

	private static Stream<Slot> slots(String name, Kind kind, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> new Slot(name + "-" + i, kind,
					(kind == Kind.CONTESTED) ? World.USERS : List.of(World.USERS.get(i % World.USERS.size()))));
	}

}

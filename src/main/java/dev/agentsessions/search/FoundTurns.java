package dev.agentsessions.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Secrets;

/**
 * A page of the turns that match a query.
 *
 * @param turns the turns, the best first
 * @param ranked the number of hits that the page covers, with those that are gone
 * meanwhile
 * @param more whether there are further ones
 * @param missing the number of events that are not indexed yet
 * @param events the number of all events to search, indexed or not; 0 if none was
 * selected
 * @param semantic whether the meaning of the query counts; {@code null} without an
 * embedding model
 */
public record FoundTurns(List<FoundTurn> turns, int ranked, boolean more, long missing, long events,
		@Nullable Boolean semantic) {

	/** Nothing was found. */
	public static final FoundTurns NONE = new FoundTurns(List.of(), 0, false, 0, 0, null);

	/** Returns these turns with the statistics of the search. */
	public FoundTurns with(long missingEvents, long allEvents, @Nullable Boolean meaningCounts) {
		return new FoundTurns(this.turns, this.ranked, this.more, missingEvents, allEvents, meaningCounts);
	}

	/**
	 * A turn that matches a query.
	 *
	 * @param turn the turn
	 * @param score how much of the query it says, 0 to 1
	 * @param before the turns before it, in their order
	 * @param after the turns after it, in their order
	 */
	public record FoundTurn(Turn turn, double score, List<Turn> before, List<Turn> after) {

		FoundTurn seen(Secrets secrets) {
			return new FoundTurn(this.turn.seen(secrets), this.score, seen(this.before, secrets),
					seen(this.after, secrets));
		}

		private static List<Turn> seen(List<Turn> turns, Secrets secrets) {
			return turns.stream().map((turn) -> turn.seen(secrets)).toList();
		}

	}

}

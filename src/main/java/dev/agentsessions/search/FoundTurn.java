package dev.agentsessions.search;

import java.util.List;

import dev.agentsessions.session.Secrets;

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

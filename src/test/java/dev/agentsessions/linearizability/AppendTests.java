package dev.agentsessions.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** The rules that answers are compared with are those of the documentation. */
class AppendTests {

	private static final Draft FIRST = new Draft("e1/a", Map.of("s-0", "1", "s-1", "null"), "");

	private final Kept kept = Kept.created("u", Map.of("s-0", "0"), List.of(FIRST), "", 0)
		.learn(Tag.of("\"1.abc\""), "100.5")
		.get(0);

	@Test
	void takesANullForAValueAndTheSentinelForItsRemoval() {
		assertThat(this.kept.state()).isEqualTo(Map.of("s-0", "1", "s-1", "null"));
		Draft removal = new Draft("e2/a", Map.of("s-0", Kept.REMOVED, "app:a-0", "1"), "");
		assertThat(append(removal, Condition.NONE).stored(this.kept).get(0).state()).isEqualTo(Map.of("s-1", "null"));
	}

	@Test
	void lifeGoesOnByOneRevisionAndATimeThatRises() {
		Append append = append(new Draft("e2/a", Map.of(), ""), Condition.NONE);
		assertThat(append.stored(this.kept, Tag.of("\"2.abc\""), "100.500001")).hasSize(1);
		assertThat(append.stored(this.kept, Tag.of("\"2.abc\""), "100.5")).isEmpty();
		assertThat(append.stored(this.kept, Tag.of("\"3.abc\""), "100.6")).isEmpty();
		assertThat(append.stored(this.kept, Tag.of("\"2.abd\""), "100.6")).isEmpty();
	}

	@Test
	void knowsARetryWhateverItDemands() {
		Condition old = new Condition(Tag.ofRevision(0), null, false);
		assertThat(append(FIRST, old).replayed(this.kept)).containsExactly(this.kept);
		assertThat(append(FIRST, old).stored(this.kept)).isEmpty();
		assertThat(append(FIRST.changed(), old).conflicting(this.kept)).containsExactly(this.kept);
	}

	@Test
	void refusesWhatIsStaleAndNothingElse() {
		Draft next = new Draft("e2/a", Map.of(), "");
		assertThat(append(next, new Condition(Tag.of("\"1.abc.100500000.7\""), null, false)).stored(this.kept))
			.hasSize(1);
		assertThat(append(next, new Condition(Tag.of("\"1.abc.100500000.7\""), null, true)).stored(this.kept))
			.isEmpty();
		assertThat(append(next, new Condition(Tag.of("\"1.abc.100500001\""), null, false)).stored(this.kept)).isEmpty();
		assertThat(append(next, new Condition(Tag.of("\"1.abd\""), null, false)).stale(this.kept, 1, "100.5"))
			.containsExactly(this.kept);
		assertThat(append(next, new Condition(null, "100.50", false)).stale(this.kept, 1, "100.5")).isEmpty();
	}

	@Test
	void waitsForTheTurnOfAnother() {
		Draft next = new Draft("e2/a", Map.of(), "");
		Kept leased = this.kept.leased(new Held(17, "h", false));
		assertThat(append(next, Condition.NONE.under(17L)).stored(leased)).hasSize(1);
		assertThat(append(next, Condition.NONE).stored(leased)).hasSize(1);
		assertThat(append(next, Condition.NONE.under(16L)).stored(leased)).isEmpty();
		assertThat(append(next, Condition.NONE.under(16L)).outOfTurn(leased)).containsExactly(leased);
		assertThat(append(FIRST, Condition.NONE.under(16L)).replayed(leased)).containsExactly(leased);
		Kept exclusive = this.kept.leased(new Held(17, "h", true));
		assertThat(append(next, Condition.NONE).outOfTurn(exclusive)).containsExactly(exclusive);
		assertThat(append(next, Condition.NONE.under(17L)).outOfTurn(exclusive)).isEmpty();
	}

	private static Append append(Draft draft, Condition condition) {
		return new Append("u", List.of(draft), condition, null, 0);
	}

}

package dev.agentsessions.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/** What one event changes. */
class StateDeltaTests {

	private static final JsonText ONE = new JsonText("1");

	private static final JsonText TWO = new JsonText("2");

	private final Map<String, JsonText> changes = new LinkedHashMap<>();

	{
		this.changes.put("z", ONE);
		this.changes.put("temp:a", ONE);
		this.changes.put("app:b", JsonText.NULL);
		this.changes.put("user:c", TWO);
		this.changes.put("a", JsonText.NULL);
	}

	@Test
	void splitsByScope() {
		StateDelta delta = new StateDelta(this.changes);
		assertThat(delta.in(StateScope.APP)).containsExactly(entry("b", JsonText.NULL));
		assertThat(delta.in(StateScope.USER)).containsExactly(entry("c", TWO));
		assertThat(delta.in(StateScope.TEMP)).containsExactly(entry("a", ONE));
		assertThat(delta.in(StateScope.SESSION)).containsExactly(entry("z", ONE), entry("a", JsonText.NULL));
	}

	@Test
	void leavesOutWhatIsNeverStored() {
		assertThat(new StateDelta(this.changes).stored().changes().keySet()).containsExactly("z", "app:b", "user:c",
				"a");
	}

	@Test
	void isNotChangedAfterwards() {
		StateDelta delta = new StateDelta(this.changes);
		this.changes.clear();
		assertThat(delta.changes()).hasSize(5);
		assertThat(delta.changes()).isUnmodifiable();
	}

	@Test
	void lastChangeOfKeyWins() {
		StateDelta first = new StateDelta(Map.of("a", ONE, "b", ONE, "c", JsonText.NULL));
		StateDelta second = new StateDelta(Map.of("b", JsonText.NULL, "c", TWO, "d", TWO));
		assertThat(first.then(second).changes()).isEqualTo(Map.of("a", ONE, "b", JsonText.NULL, "c", TWO, "d", TWO));
	}

	@Test
	void isEmptyWithoutChanges() {
		assertThat(StateDelta.EMPTY.isEmpty()).isTrue();
		assertThat(new StateDelta(this.changes).isEmpty()).isFalse();
		assertThat(new StateDelta(Map.of("temp:a", ONE)).stored().isEmpty()).isTrue();
	}

	@Test
	void keepsNullUnlessItRemovesForTheSender() {
		StateDelta delta = new StateDelta(Map.of("a", JsonText.NULL, "b", ONE, "c", RemovalMarker.REMOVED));
		assertThat(delta.withoutRemovals().changes()).isEqualTo(Map.of("a", JsonText.NULL, "b", ONE));
		assertThat(delta.withNullsAsRemovals().changes())
			.isEqualTo(Map.of("a", RemovalMarker.REMOVED, "b", ONE, "c", RemovalMarker.REMOVED));
		assertThat(delta.withNullsAsRemovals().withoutRemovals().changes()).isEqualTo(Map.of("b", ONE));
	}

	@Test
	void appliesChangesKeyByKey() {
		Map<String, JsonText> before = Map.of("kept", ONE, "replaced", TWO, "removed", ONE);
		Map<String, JsonText> changes = Map.of("replaced", new JsonText("3"), "null", JsonText.NULL, "removed",
				RemovalMarker.REMOVED, "missing", RemovalMarker.REMOVED, "added", ONE);
		assertThat(StateDelta.apply(before, changes))
			.isEqualTo(Map.of("kept", ONE, "replaced", new JsonText("3"), "null", JsonText.NULL, "added", ONE));
		assertThat(before).hasSize(3);
	}

	@Test
	void keepsNullsInsideValues() {
		JsonText value = new JsonText("{\"x\":null}");
		assertThat(StateDelta.apply(Map.of(), Map.of("a", value))).isEqualTo(Map.of("a", value));
	}

}

package dev.agentsessions.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/** What an agent reads. */
class StateMapsTests {

	private static final JsonText ONE = new JsonText("1");

	private static final JsonText TWO = new JsonText("{\"x\":2}");

	private static final JsonText THREE = new JsonText("{\"y\":3}");

	@Test
	void mergesScopesUnderTheirPrefixes() {
		Map<StateScope, Map<String, JsonText>> shared = Map.of(StateScope.APP, Map.of("a", ONE), StateScope.USER,
				Map.of("a", TWO));
		assertThat(StateScope.merged(Map.of("a", THREE), shared))
			.isEqualTo(Map.of("app:a", ONE, "user:a", TWO, "a", THREE));
	}

	@Test
	void isEmptyWhereNothingIsSet() {
		assertThat(StateScope.merged(Map.of(), Map.of(StateScope.APP, Map.of()))).isEmpty();
	}

	@Test
	void appliesChangesKeyByKey() {
		Map<String, JsonText> before = Map.of("kept", ONE, "replaced", TWO, "removed", ONE);
		Map<String, JsonText> changes = Map.of("replaced", THREE, "null", JsonText.NULL, "removed",
				RemovalMarker.REMOVED, "missing", RemovalMarker.REMOVED, "added", ONE);
		assertThat(StateDelta.apply(before, changes))
			.isEqualTo(Map.of("kept", ONE, "replaced", THREE, "null", JsonText.NULL, "added", ONE));
		assertThat(before).hasSize(3);
	}

	@Test
	void keepsNullsInsideValues() {
		JsonText value = new JsonText("{\"x\":null}");
		assertThat(StateDelta.apply(Map.of(), Map.of("a", value))).isEqualTo(Map.of("a", value));
	}

}

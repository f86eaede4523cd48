package dev.agentsessions.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.agentsessions.json.JsonText;

/** What the prefix of a key says. */
class StateScopeTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			app:theme,      APP,     theme
			user:language,  USER,    language
			temp:step,      TEMP,    step
			context,        SESSION, context
			app:,           APP,     ''
			user:,          USER,    ''
			'',             SESSION, ''
			app,            SESSION, app
			App:theme,      SESSION, App:theme
			USER:language,  SESSION, USER:language
			application:x,  SESSION, application:x
			app.theme,      SESSION, app.theme
			session:x,      SESSION, session:x
			' app:theme',   SESSION, ' app:theme'
			app :theme,     SESSION, app :theme
			app:user:x,     APP,     user:x
			user:app:x,     USER,    app:x
			user:temp:x,    USER,    temp:x
			app:app:x,      APP,     app:x
			app::x,         APP,     :x
			x:app:,         SESSION, x:app:
			""")
	void prefixSelectsScope(String key, StateScope scope, String storedKey) {
		assertThat(StateScope.of(key)).isEqualTo(scope);
		assertThat(scope.strip(key)).isEqualTo(storedKey);
		assertThat(scope.qualify(storedKey)).isEqualTo(key);
	}

	@ParameterizedTest
	@EnumSource
	void isStoredUnlessItIsTemporary(StateScope scope) {
		assertThat(scope.isStored()).isEqualTo(scope != StateScope.TEMP);
	}

	@Test
	void mergesScopesUnderTheirPrefixes() {
		Map<StateScope, Map<String, JsonText>> shared = Map.of(StateScope.APP, Map.of("a", new JsonText("1")),
				StateScope.USER, Map.of("a", new JsonText("2")));
		assertThat(StateScope.merged(Map.of("a", new JsonText("3")), shared))
			.isEqualTo(Map.of("app:a", new JsonText("1"), "user:a", new JsonText("2"), "a", new JsonText("3")));
	}

	@Test
	void isEmptyWhereNothingIsSet() {
		assertThat(StateScope.merged(Map.of(), Map.of(StateScope.APP, Map.of()))).isEmpty();
	}

}

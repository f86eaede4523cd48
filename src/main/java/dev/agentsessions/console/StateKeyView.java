package dev.agentsessions.console;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.history.StateSource;
import dev.agentsessions.state.StateScope;

/**
 * A key of the state.
 *
 * @param key its name, with its prefix
 * @param scope whose it is: {@code session}, {@code user}, {@code app}
 * @param value its value
 * @param seq the event that set it; {@code null} for none that is known
 * @param author who sent that event
 * @param link the session as it was right after that event
 */
record StateKeyView(TruncatedText key, String scope, TruncatedText value, @Nullable Long seq, TruncatedText author,
		String link) {

	/** In characters; a state may have thousands of values. */
	private static final int LONGEST = 2000;

	/**
	 * A key and its value.
	 * @param source the event that set it; {@code null} for none
	 * @param session the address of the session
	 */
	static StateKeyView of(String key, JsonText value, @Nullable StateSource source, String session) {
		StateKeyView unknown = new StateKeyView(TruncatedText.of(key, TruncatedText.SHORT),
				StateScope.of(key).name().toLowerCase(Locale.ROOT), IndentedJson.of(value, LONGEST), null,
				TruncatedText.NOTHING, "");
		return (source != null) ? unknown.by(source, session) : unknown;
	}

	private StateKeyView by(StateSource source, String session) {
		return new StateKeyView(this.key, this.scope, this.value, source.seq(),
				TruncatedText.of(source.author(), TruncatedText.SHORT),
				session + Links.at(source.seq()) + "#event-" + source.seq());
	}

}

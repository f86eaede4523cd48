package dev.agentsessions.console.session;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.lifecycle.StateSource;
import dev.agentsessions.state.StateScope;

/**
 * A key of the state.
 *
 * @param key its name, with its prefix
 * @param scope its scope: {@code session}, {@code user} or {@code app}
 * @param value its value
 * @param seq the seq of the event that set it; {@code null} if unknown
 * @param author the author of that event
 * @param link the page of the session right after that event
 * @param changed whether that event is the last one before the moment shown
 */
record StateKeyView(TruncatedText key, String scope, TruncatedText value, @Nullable Long seq, TruncatedText author,
		String link, boolean changed) {

	/** A state may have thousands of values. */
	private static final int MAX_VALUE_CHARS = 2000;

	/** Returns a view of a key whose event is unknown. */
	static StateKeyView of(String key, JsonText value, ReadingMode mode) {
		return new StateKeyView(TruncatedText.of(key, TruncatedText.MAX_LINE_CHARS),
				StateScope.of(key).name().toLowerCase(Locale.ROOT), mode.json(value, MAX_VALUE_CHARS), null,
				TruncatedText.EMPTY, "", false);
	}

	/**
	 * Returns the view with the event that set the key.
	 * @param session the address of the session
	 * @param moment the seq of the last event before the moment shown
	 */
	StateKeyView by(StateSource source, String session, long moment, ReadingMode mode) {
		return new StateKeyView(this.key, this.scope, this.value, source.seq(),
				TruncatedText.of(source.author(), TruncatedText.MAX_LINE_CHARS),
				mode.on(session + Links.at(source.seq()) + "#event-" + source.seq()), source.seq() == moment);
	}

}

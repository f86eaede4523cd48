package dev.agentsessions.session;

import java.util.Map;

import dev.agentsessions.json.JsonText;

/**
 * A session that begins as a copy.
 *
 * @param source the session that is copied
 * @param version its version right after the last event that is copied
 * @param precondition what has to hold for it today
 * @param target the new session
 * @param state its own state
 * @param details what people call it, and its end, where that is not as with the source
 */
public record Fork(SessionKey source, SessionVersion version, Precondition precondition, SessionKey target,
		Map<String, JsonText> state, SessionDetails details) {

}

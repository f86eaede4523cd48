package dev.agentsessions.vertex;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.vertex.event.WireEvents.ClientLibrary;
import dev.agentsessions.vertex.event.WireEvents.WireSessions;

/**
 * A session of the protocol. Source: {@code session.proto} of
 * {@code google.cloud.aiplatform.v1beta1}.
 *
 * @param name its full name; clients read the session id from it
 * @param createTime its creation time
 * @param updateTime its last update time
 * @param expireTime its expiry; {@code null} for none
 * @param userId its user
 * @param sessionState the merged state of all scopes
 * @param displayName its display name; {@code null} for none
 * @param labels its labels; {@code null} for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SessionResource(String name, String createTime, String updateTime, @Nullable String expireTime, String userId,
		Map<String, JsonText> sessionState, @Nullable String displayName, @Nullable Map<String, String> labels) {

	static SessionResource of(ReasoningEngine engine, Session session, ClientLibrary client) {
		Map<String, JsonText> state = WireSessions.state(session.state(), client);
		Instant expireTime = session.details().expireTime();
		return new SessionResource(engine.sessionName(session.name().sessionId()), session.createTime().toString(),
				updateTime(session).toString(), (expireTime != null) ? expireTime.toString() : null,
				session.name().userId(), state, session.details().displayName(), session.details().labels());
	}

	/**
	 * Returns the last update time, or a time after that of the newest event if it is
	 * later: ADK Java and Python up to 1.4 drop events that are not older than the
	 * session's last update, and they set the time of events by their own clocks.
	 */
	private static Instant updateTime(Session session) {
		List<Event> newest = session.events().toList();
		Instant lastUpdateTime = session.lastUpdateTime();
		if (newest.isEmpty()) {
			return lastUpdateTime;
		}
		Instant time = EventFields.timeOf(JsonObject.of(newest.get(newest.size() - 1).body()));
		Instant afterNewest = earlier(time.plusMillis(1), Timestamps.MAX);
		return afterNewest.isAfter(lastUpdateTime) ? afterNewest : lastUpdateTime;
	}

	private static Instant earlier(Instant time, Instant other) {
		return time.isBefore(other) ? time : other;
	}

}

package dev.agentsessions.vertex;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.state.RemovalMarker;
import dev.agentsessions.state.StateScope;
import dev.agentsessions.web.DetailsFields;

/**
 * A change of a session: the fields that a mask names, or all fields of the request.
 *
 * @param fields the new values
 * @param mask the names of the fields to change
 */
record SessionUpdate(SessionFields fields, Set<String> mask) {

	private static final Set<String> CHANGEABLE = DetailsFields.and(SessionFields.STATE, "userId");

	/** Two spellings of the expiry; a mask with one of them covers both. */
	private static final Set<String> EXPIRY = Set.of(DetailsFields.EXPIRE_TIME, DetailsFields.TTL);

	static SessionUpdate of(SessionFields fields, @Nullable String updateMask) {
		Set<String> mask = UpdateMask.of(updateMask, fields.fields(), CHANGEABLE);
		Set<String> named = new LinkedHashSet<>(mask);
		if (!Collections.disjoint(mask, EXPIRY)) {
			named.addAll(EXPIRY);
		}
		return new SessionUpdate(fields.only(named), mask);
	}

	/**
	 * Changes the session.
	 * @param current the session as just read
	 */
	void apply(SessionService sessions, EventService events, Session current) {
		this.fields.checkUser(current.key().userId());
		SessionDetails details = this.fields.details();
		Precondition unchanged = Precondition.of(current.version()).withoutDetails();
		if (this.mask.contains(SessionFields.STATE)) {
			NewEvent event = NewEvent.ofStateDelta(stateDelta(current));
			events.append(current.key(), new AppendRequest(event, unchanged, details));
		}
		else {
			sessions.updateDetails(current.key(), details, Precondition.ofBirth(current.birth()));
		}
	}

	/**
	 * Returns the changes of the state. The new state replaces the keys of the session
	 * scope; keys of shared scopes are only set.
	 */
	private JsonObject stateDelta(Session current) {
		Map<String, JsonText> changes = new LinkedHashMap<>();
		current.state().keySet().forEach((key) -> {
			if (StateScope.of(key) == StateScope.SESSION) {
				changes.put(key, RemovalMarker.REMOVED);
			}
		});
		changes.putAll(this.fields.state().changes());
		return new JsonObject("", changes);
	}

}

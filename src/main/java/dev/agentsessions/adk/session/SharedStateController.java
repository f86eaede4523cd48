package dev.agentsessions.adk.session;

import java.util.Map;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.lifecycle.SessionService;

/** Reads and changes the state that sessions share. Its keys have no prefix here. */
@RestController
class SharedStateController {

	private static final String OF_APP = "/apps/{appName}/state";

	private static final String OF_USER = "/apps/{appName}/users/{userId}/state";

	private final SessionService sessions;

	SharedStateController(SessionService sessions) {
		this.sessions = sessions;
	}

	@GetMapping(OF_APP)
	Map<String, JsonText> getAppState(@PathVariable String appName) {
		return this.sessions.state(new StateOwner(appName, null));
	}

	@PatchMapping(OF_APP)
	Map<String, JsonText> updateAppState(@PathVariable String appName, @RequestBody JsonObject changes) {
		return change(new StateOwner(appName, null), changes);
	}

	/**
	 * Refuses fields of the PATCH of a session, which would become keys that all sessions
	 * share. JSON null still removes such a key.
	 */
	private static void checkIsKey(String key, JsonText value) {
		String field = FieldNames.toCamelCase(key);
		if (field.equals(KnownFields.REMOVE_KEYS) && value.isArray()
				|| field.equals(KnownFields.STATE_DELTA) && value.isObject()) {
			throw new JsonException.InvalidShape(key, "is a field of PATCH .../sessions/{sessionId} only; "
					+ "this body is the change itself, in which null removes a key");
		}
	}

	@GetMapping(OF_USER)
	Map<String, JsonText> getUserState(@PathVariable String appName, @PathVariable String userId) {
		return this.sessions.state(new StateOwner(appName, userId));
	}

	@PatchMapping(OF_USER)
	Map<String, JsonText> updateUserState(@PathVariable String appName, @PathVariable String userId,
			@RequestBody JsonObject changes) {
		return change(new StateOwner(appName, userId), changes);
	}

	/** Applies a merge patch, in which JSON null removes a key. */
	private Map<String, JsonText> change(StateOwner owner, JsonObject changes) {
		changes.members().forEach(SharedStateController::checkIsKey);
		return this.sessions.changeState(owner, StateDeltas.of(changes).withNullsAsRemovals().changes());
	}

}

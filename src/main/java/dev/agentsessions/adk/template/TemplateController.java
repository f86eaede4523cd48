package dev.agentsessions.adk.template;

import java.util.Map;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.state.InstructionTemplate;

/** Fills the template of an agent's instruction with the state of a session. */
@RestController
class TemplateController {

	private final SessionService sessions;

	TemplateController(SessionService sessions) {
		this.sessions = sessions;
	}

	@PostMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}:render")
	Rendered renderTemplate(SessionKey key, @RequestBody JsonObject body) {
		String template = KnownFields.TEMPLATE.check(body).string("template");
		if (template == null) {
			throw new JsonException.InvalidShape("template", "is required and must be a string");
		}
		Map<String, JsonText> state = this.sessions.get(key, EventWindow.NONE).state();
		return new Rendered(render(template, new TemplateValues(state, this.sessions.templateSize())));
	}

	private static String render(String template, TemplateValues state) {
		try {
			return new InstructionTemplate(template).render(state::print, state.maxChars());
		}
		catch (InstructionTemplate.TooLongException ex) {
			throw new SessionException.TooLarge("The filled template", state.maxChars(), "characters",
					"agent-sessions.limits.template-size");
		}
	}

	/**
	 * The response.
	 *
	 * @param text the instruction with the values of the state
	 */
	record Rendered(String text) {

	}

}

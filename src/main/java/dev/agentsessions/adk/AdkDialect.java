package dev.agentsessions.adk;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.jackson.JacksonComponent;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.web.ApiDialect;

/**
 * The dialect of ADK's own server. It comes after all other dialects and owns every path
 * that none of them owns.
 */
@Component
class AdkDialect implements ApiDialect {

	private static final Pattern APP = Pattern.compile("/apps/([^/]+)");

	@Override
	public TranslationCost translationCost() {
		return TranslationCost.NONE;
	}

	@Override
	public boolean owns(String path) {
		return true;
	}

	@Override
	public Optional<String> appName(String path) {
		Matcher app = APP.matcher(path);
		return app.lookingAt() ? Optional.of(app.group(1)) : Optional.empty();
	}

	@Override
	public List<String> publicPaths() {
		return List.of("/health", "/version");
	}

	@Override
	public ProblemDetail error(HttpStatusCode status, String detail, String requestId) {
		return ProblemCode.completed(ProblemDetail.forStatusAndDetail(status, detail), requestId);
	}

	/** Writes the body of a stored event without changes. */
	@JacksonComponent
	static class EventSerializer extends ValueSerializer<Event> {

		@Override
		public void serialize(Event event, JsonGenerator json, SerializationContext context) {
			context.writeValue(json, event.body());
		}

	}

}

package dev.agentsessions.session.event;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.FunctionParts.EventErrors;

/**
 * A condition on one event of a session, by which a list finds the session. All parts
 * hold for the same event.
 *
 * @param from only events that were stored at this microsecond or later; {@code null} for
 * all
 * @param until only events that were stored at this microsecond or earlier; {@code null}
 * for all
 * @param error whether only events that report an error are meant
 * @param tool only events that call this tool or have its response, {@code null} for all;
 * with {@code error}, the response itself has to be an error, or the event an error code
 * @param author only events of this author; {@code null} for all
 */
public record EventCondition(@Nullable Instant from, @Nullable Instant until, boolean error, @Nullable String tool,
		@Nullable String author) {

	public EventCondition {
		from = Timestamps.toMicroseconds(from);
		until = Timestamps.toMicroseconds(until);
		if (tool != null) {
			Identifiers.checkText("tool", tool);
		}
		if (author != null) {
			Identifiers.checkText("author", author);
		}
	}

	/** Returns whether every event meets it. */
	public boolean isEmpty() {
		return this.from == null && this.until == null && !this.error && this.tool == null && this.author == null;
	}

	/**
	 * Returns whether the body of an event meets the parts that need the body: the tool,
	 * and whether it is this tool that failed.
	 */
	public boolean meetsTool(JsonText body) {
		if (this.tool == null) {
			return true;
		}
		JsonObject event = JsonObject.of(body);
		if (!this.error || EventErrors.hasCode(event)) {
			return FunctionParts.calls(event).stream().anyMatch(this::isOfTool)
					|| FunctionParts.responses(event).stream().anyMatch(this::isOfTool);
		}
		return FunctionParts.responses(event)
			.stream()
			.anyMatch((response) -> isOfTool(response) && EventErrors.failed(response));
	}

	private boolean isOfTool(JsonObject function) {
		return Objects.equals(this.tool, function.stringIfAny("name"));
	}

}

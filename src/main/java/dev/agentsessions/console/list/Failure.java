package dev.agentsessions.console.list;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.agentsessions.console.view.ErrorText;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.LenientFields;
import dev.agentsessions.session.event.EventErrors;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.FunctionParts;
import dev.agentsessions.session.report.FailureService.Store.FailedEvent;

/**
 * What failed in an event: a tool, or the agent or model itself.
 *
 * @param tool the name of the tool; blank for none
 * @param error the beginning of the error
 */
record Failure(String tool, String error) {

	static final int MAX_OF_EVENT = 20;

	/** Returns the failures of an event that reports an error, at least one. */
	static List<Failure> of(FailedEvent event) {
		List<Failure> failures = new ArrayList<>();
		JsonObject fields = LenientFields.object(event.body());
		if (!LenientFields.text(fields, EventFields.ERROR_CODE).isEmpty()) {
			failures.add(new Failure("", cut(ErrorText.ofEvent(fields))));
		}
		FunctionParts.of(fields)
			.map((part) -> LenientFields.object(part, EventFields.FUNCTION_RESPONSE))
			.filter(Objects::nonNull)
			.filter(EventErrors::failed)
			.limit(MAX_OF_EVENT)
			.map((response) -> new Failure(cut(LenientFields.text(response, "name")),
					cut(ErrorText.ofResponse(response))))
			.forEach(failures::add);
		return failures.isEmpty() ? List.of(new Failure("", "The event is too large to say more.")) : failures;
	}

	/** Returns what a list shows of an event. */
	static TruncatedText line(FailedEvent event) {
		Failure first = of(event).get(0);
		String tool = first.tool.isEmpty() ? "" : first.tool + ": ";
		return TruncatedText.of(tool + first.error, TruncatedText.MAX_LINE_CHARS);
	}

	/** Failures that differ only in numbers are counted together. */
	Failure withoutNumbers() {
		return new Failure(this.tool, this.error.replaceAll("\\d+", "0"));
	}

	private static String cut(String text) {
		return TruncatedText.of(text.strip(), TruncatedText.MAX_LINE_CHARS).text();
	}

}

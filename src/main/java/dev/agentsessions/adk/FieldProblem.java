package dev.agentsessions.adk;

import java.util.ArrayList;
import java.util.List;

import dev.agentsessions.json.JsonException;

/**
 * An invalid field of a body, in the format of ADK Python's server.
 *
 * @param loc the path of the field, starting with {@code body}
 * @param msg the rule that the field breaks
 * @param type the kind of rule
 */
record FieldProblem(List<String> loc, String msg, String type) {

	static FieldProblem of(JsonException.InvalidShape ex) {
		List<String> loc = new ArrayList<>(List.of("body"));
		if (!ex.field().isEmpty()) {
			loc.addAll(List.of(ex.field().split("\\.")));
		}
		return new FieldProblem(loc, ex.rule(), ex.rule().startsWith("is required") ? "missing" : "value_error");
	}

}

package dev.agentsessions.console.list;

import java.time.Instant;

import jakarta.servlet.http.HttpServletRequest;

import dev.agentsessions.console.view.IndentedJson;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.web.RequestId;

/**
 * What a page says about a deletion, once. It is stored nowhere: the audit log has a line
 * with the same request id.
 */
final class Receipt {

	private Receipt() {
	}

	/** Returns the receipt as JSON: what was done, when, by whom, in which request. */
	static TruncatedText of(String act, JsonObject what, String caller, HttpServletRequest request) {
		return IndentedJson.of(JsonObject.parse("{}")
			.with(act, what.toJson())
			.with("time", JsonStrings.of(Instant.now().toString()))
			.with("caller", JsonStrings.of(caller))
			.with("requestId", JsonStrings.of(RequestId.of(request)))
			.toJson(), TruncatedText.MAX_CHARS);
	}

}

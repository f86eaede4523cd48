package dev.agentsessions.vertex.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.vertex.SessionFilter;
import dev.agentsessions.vertex.memory.MemoryBankController.Unimplemented;

/** Reads scopes. The user chooses their names, so they are never converted. */
final class MemoryScopes {

	static final String SCOPE = "scope";

	private static final Set<String> OF_USER = Set.of(MemoryScope.APP_NAME, MemoryScope.USER_ID);

	private static final int MAX_FILTER_CHARS = 20_000;

	private static final Pattern FILTER = Pattern.compile("\\s*+scope\\s*+=\\s*+(.*+)", Pattern.DOTALL);

	private MemoryScopes() {
	}

	/** Reads the required scope of a request. */
	static MemoryScope required(ReasoningEngine engine, JsonObject request) {
		return of(engine, request.requiredObject(SCOPE));
	}

	private static MemoryScope of(ReasoningEngine engine, JsonObject scope) {
		Map<String, String> names = new LinkedHashMap<>();
		scope.members().forEach((name, text) -> names.put(name, text.string(scope.pathOf(name))));
		if (names.values().stream().anyMatch((text) -> text.contains("*"))) {
			throw new SessionException.InvalidArgument(SCOPE, "must not contain *");
		}
		boolean isUser = names.keySet().equals(OF_USER)
				&& List.of(engine.appName(), engine.id()).contains(names.get(MemoryScope.APP_NAME));
		return isUser ? MemoryScope.of(new StateOwner(engine.appName(), names.get(MemoryScope.USER_ID)))
				: new MemoryScope(engine.appName(), names);
	}

	/** Reads the scope in a filter; empty without a filter. */
	static Optional<MemoryScope> inFilter(ReasoningEngine engine, @Nullable String filter) {
		if (filter == null || filter.isBlank()) {
			return Optional.empty();
		}
		Matcher scope = FILTER.matcher(filter);
		Unimplemented.check(filter.length() > MAX_FILTER_CHARS || !scope.matches(),
				"A filter by anything but scope=\"{...}\"");
		JsonObject names = JsonObject.parse(SessionFilter.value(scope.group(1)).strip());
		return Optional.of(of(engine, new JsonObject(SCOPE, names.members())));
	}

}

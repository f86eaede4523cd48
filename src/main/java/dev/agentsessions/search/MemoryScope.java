package dev.agentsessions.search;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.StateOwner;

/**
 * The owner of facts: a user, or any other texts that a client has chosen.
 *
 * @param appName the app
 * @param names the texts by name, in the order of the names; of a user exactly
 * {@code app_name} and {@code user_id}
 */
public record MemoryScope(String appName, Map<String, String> names) {

	/** The name of the app in a scope. */
	public static final String APP_NAME = "app_name";

	/** The name of the user in a scope. */
	public static final String USER_ID = "user_id";

	/** Maximum number of names. */
	public static final int MAX_NAMES = 10;

	public MemoryScope {
		Identifiers.check("appName", appName);
		InvalidArgument.check(!names.isEmpty() && names.size() <= MAX_NAMES, "scope",
				"must have 1 to " + MAX_NAMES + " texts");
		names.forEach(MemoryScope::check);
		names = Collections.unmodifiableMap(new TreeMap<>(names));
	}

	private static void check(String name, String text) {
		Identifiers.checkText("scope", name);
		Identifiers.checkText("scope." + name, text);
	}

	/** Returns the scope of the facts of a user. */
	public static MemoryScope of(StateOwner user) {
		return new MemoryScope(user.appName(),
				Map.of(APP_NAME, user.appName(), USER_ID, Objects.requireNonNull(user.userId())));
	}

	/** Returns the user whose facts they are; empty for other texts. */
	public Optional<StateOwner> user() {
		boolean isUser = this.names.keySet().equals(Set.of(APP_NAME, USER_ID))
				&& this.appName.equals(this.names.get(APP_NAME));
		return isUser ? Optional.of(new StateOwner(this.appName, userId())) : Optional.empty();
	}

	/** Returns the user that it names; {@code null} for none. */
	public @Nullable String userId() {
		return this.names.get(USER_ID);
	}

}

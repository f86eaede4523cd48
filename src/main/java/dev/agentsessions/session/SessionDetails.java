package dev.agentsessions.session;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What people call a session. Where it stands for a change, {@code null} leaves a value
 * as it is, and a blank name or an empty map removes it.
 *
 * @param displayName the name to show
 * @param labels free keys and values to find the session by
 */
public record SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels) {

	/** Nothing is set; nothing changes. */
	public static final SessionDetails NONE = new SessionDetails(null, null);

	public SessionDetails {
		if (displayName != null) {
			checkText("displayName", displayName);
		}
		if (labels != null) {
			labels = Map.copyOf(labels);
			labels.forEach((key, value) -> checkText("labels", key + value));
		}
	}

	/** These details after a change. */
	public SessionDetails with(SessionDetails change) {
		return new SessionDetails(changed(this.displayName, change.displayName),
				(change.labels != null) ? change.labels : this.labels);
	}

	private static @Nullable String changed(@Nullable String current, @Nullable String change) {
		if (change == null) {
			return current;
		}
		return change.isBlank() ? null : change;
	}

	private static void checkText(String field, String text) {
		if (!StorableText.test(text)) {
			throw new SessionException.InvalidArgument(field, StorableText.RULE);
		}
	}

}

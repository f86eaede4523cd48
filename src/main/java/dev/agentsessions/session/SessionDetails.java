package dev.agentsessions.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What people call a session, and how long they keep it. Where it stands for a change,
 * {@code null} leaves a value as it is, and a blank name, an empty map or the time
 * {@link #NEVER} removes it.
 *
 * @param displayName the name to show
 * @param labels free keys and values to find the session by
 * @param expireTime from when on the session is gone, in microseconds
 */
public record SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels,
		@Nullable Instant expireTime) {

	/** The expire time of a session that stays. */
	public static final Instant NEVER = Instant.MAX;

	/** Nothing is set; nothing changes. */
	public static final SessionDetails NONE = new SessionDetails(null, null, null);

	public SessionDetails {
		if (displayName != null) {
			checkText("displayName", displayName);
		}
		if (labels != null) {
			labels = Map.copyOf(labels);
			labels.forEach((key, value) -> checkText("labels", key + value));
		}
		if (expireTime != null && !expireTime.equals(NEVER)) {
			expireTime = expireTime.truncatedTo(ChronoUnit.MICROS);
		}
	}

	/** What people call a session, whenever it ends. */
	public SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels) {
		this(displayName, labels, null);
	}

	/** The display name and the labels in one. */
	String text() {
		String name = Objects.requireNonNullElse(this.displayName, "");
		return (this.labels != null) ? name + this.labels : name;
	}

	/** These details after a change. */
	public SessionDetails with(SessionDetails change) {
		return new SessionDetails(changed(this.displayName, change.displayName),
				(change.labels != null) ? change.labels : this.labels, changed(this.expireTime, change.expireTime));
	}

	private static @Nullable Instant changed(@Nullable Instant current, @Nullable Instant change) {
		if (change == null) {
			return current;
		}
		return change.equals(NEVER) ? null : change;
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

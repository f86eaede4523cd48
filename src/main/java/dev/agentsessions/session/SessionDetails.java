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
 * @param expiry what a change says of the end, until it has become a time
 */
public record SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels,
		@Nullable Instant expireTime, @Nullable Expiry expiry) {

	/** The expire time of a session that stays. */
	public static final Instant NEVER = Instant.MAX;

	/** Nothing is set; nothing changes. */
	public static final SessionDetails NONE = new SessionDetails(null, null);

	public SessionDetails {
		if (displayName != null) {
			checkText("displayName", displayName);
		}
		if (labels != null) {
			labels = Map.copyOf(labels);
			labels.forEach((key, value) -> {
				checkText("labels", key);
				checkText("labels", value);
			});
		}
		if (expireTime != null && !expireTime.equals(NEVER)) {
			expireTime = expireTime.truncatedTo(ChronoUnit.MICROS);
		}
	}

	/** What people call a session, whenever it ends. */
	public SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels) {
		this(displayName, labels, null, null);
	}

	/** What people call a session, and from when on it is gone. */
	public SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels,
			@Nullable Instant expireTime) {
		this(displayName, labels, expireTime, null);
	}

	/** A change, as a request says it. */
	public SessionDetails(@Nullable String displayName, @Nullable Map<String, String> labels, @Nullable Expiry expiry) {
		this(displayName, labels, null, expiry);
	}

	/**
	 * These details, with a time for what a request says of the end.
	 * @param now the time of the database
	 * @throws SessionException.InvalidArgument if the end has passed
	 */
	public SessionDetails at(Instant now) {
		return (this.expiry != null) ? new SessionDetails(this.displayName, this.labels, this.expiry.from(now)) : this;
	}

	/** The display name and the labels in one. */
	public String text() {
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

package dev.agentsessions.console.list;

import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.Timestamps;

/**
 * The sessions about which a page asked, each with its version at that time. A form
 * carries them, so that a person deletes nothing but what the page has counted.
 *
 * @param versions the versions by the births of the sessions
 */
record ShownSessions(Map<UUID, SessionVersion> versions) {

	/**
	 * No character of the text needs an escape in a form: the size of forms is limited.
	 */
	private static final String SEPARATOR = "*";

	/** Makes the microseconds of a time shorter, because a form has many. */
	private static final int RADIX = Character.MAX_RADIX;

	ShownSessions() {
		this(new LinkedHashMap<>());
	}

	/**
	 * Reads the field of a form.
	 * @throws SessionException.InvalidArgument if no page has written it
	 */
	static ShownSessions parse(String text) {
		ShownSessions sessions = new ShownSessions();
		try {
			for (String session : text.isEmpty() ? new String[0] : text.split("[*]")) {
				String[] parts = session.split("[.]");
				UUID birth = UUID.fromString(parts[0]);
				sessions.versions.put(birth, new SessionVersion(Long.parseLong(parts[1]), birth,
						Timestamps.ofEpochMicros(Long.parseLong(parts[2], RADIX)), 0));
			}
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException ex) {
			throw new SessionException.InvalidArgument("shown", "must be as the page has sent it");
		}
		return sessions;
	}

	void add(Session session) {
		this.versions.put(session.birth(), session.version());
	}

	/** Returns the field of a form. */
	public String text() {
		return this.versions.values()
			.stream()
			.map((version) -> version.birth() + "." + version.revision() + "."
					+ Long.toString(Timestamps.toEpochMicros(version.lastUpdateTime()), RADIX))
			.collect(Collectors.joining(SEPARATOR));
	}

	public int count() {
		return this.versions.size();
	}

	public long events() {
		return this.versions.values().stream().mapToLong(SessionVersion::revision).sum();
	}

}

package dev.agentsessions.console.list;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;

/**
 * The sessions about which a page asked, each with its revision at that time. A form
 * carries them, so that a person deletes nothing but what the page has counted.
 *
 * @param revisions the revisions by the births of the sessions
 */
record ShownSessions(Map<UUID, Long> revisions) {

	/**
	 * No character of the text needs an escape in a form: the size of forms is limited.
	 */
	private static final String SEPARATOR = "*";

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
				int dot = session.indexOf('.');
				sessions.revisions.put(UUID.fromString(session.substring(0, Math.max(0, dot))),
						Long.valueOf(session.substring(dot + 1)));
			}
		}
		catch (IllegalArgumentException ex) {
			throw new SessionException.InvalidArgument("shown", "must be as the page has sent it");
		}
		return sessions;
	}

	void add(Session session) {
		this.revisions.put(session.birth(), session.revision());
	}

	/** Returns the field of a form. */
	public String text() {
		return this.revisions.entrySet()
			.stream()
			.map((session) -> session.getKey() + "." + session.getValue())
			.collect(Collectors.joining(SEPARATOR));
	}

	public int count() {
		return this.revisions.size();
	}

	public long events() {
		return this.revisions.values().stream().mapToLong(Long::longValue).sum();
	}

}

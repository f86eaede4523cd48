package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.History;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.json.JsonText;

/**
 * Puts a session together from the rows of {@link FindStatement}, in whatever order they
 * come.
 */
final class SessionRowCollector implements RowCallbackHandler {

	private static final int SESSION = 0;

	private static final int STATE = 1;

	private final SessionKey key;

	private final Map<UUID, Map<String, JsonText>> state = new LinkedHashMap<>();

	private final List<Event> events = new ArrayList<>();

	private @Nullable Head head;

	private long size;

	private boolean complete = true;

	SessionRowCollector(SessionKey key) {
		this.key = key;
	}

	@Override
	public void processRow(ResultSet row) throws SQLException {
		int part = row.getInt("part");
		String value = row.getString("value");
		this.size += row.getLong("size");
		if (part == SESSION) {
			this.head = Head.of(row);
		}
		else if (value == null) {
			this.complete = false;
		}
		else if (part == STATE) {
			this.state.computeIfAbsent(row.getObject("scope_key", UUID.class), (scope) -> new LinkedHashMap<>())
				.put(row.getString("name"), new JsonText(value));
		}
		else {
			this.events
				.add(new Event(row.getLong("seq"), time(row, "time"), row.getString("name"), new JsonText(value)));
		}
	}

	/** Whether nothing was withheld for its size. */
	boolean isComplete() {
		return this.complete;
	}

	/** How much the session has, together with what was withheld. */
	long size() {
		return this.size;
	}

	/**
	 * The session, empty if there is none.
	 * @param following reads the events that follow others, up to the revision
	 */
	Optional<Session> session(Function<Head, Function<List<Event>, List<Event>>> following) {
		return Optional.ofNullable(this.head).map((found) -> {
			Map<String, JsonText> merged = new StateReader.Found(this.state).merged(this.key);
			return new Session(this.key, merged, history(found, following.apply(found)), found.version(),
					found.lastUpdateTime(), found.details());
		});
	}

	private History history(Head found, Function<List<Event>, List<Event>> following) {
		this.events.sort(Comparator.comparingLong(Event::seq));
		boolean complete = this.events.isEmpty()
				|| this.events.get(this.events.size() - 1).seq() == found.version().revision();
		return new History(this.events, complete ? null : following);
	}

	private static Instant time(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	/**
	 * The row of the session.
	 *
	 * @param version its version
	 * @param lastUpdateTime the last update time
	 * @param details what people call it
	 */
	record Head(SessionVersion version, Instant lastUpdateTime, SessionDetails details) {

		static Head of(ResultSet row) throws SQLException {
			return new Head(
					new SessionVersion(row.getLong("seq"), time(row, "create_time"), row.getInt("details_revision")),
					time(row, "time"),
					new SessionDetails(row.getString("name"), labels(row.getString("value")), expireTime(row)));
		}

		private static @Nullable Instant expireTime(ResultSet row) throws SQLException {
			return (row.getObject("expire_time") != null) ? time(row, "expire_time") : null;
		}

		private static @Nullable Map<String, String> labels(@Nullable String json) {
			if (json == null) {
				return null;
			}
			Map<String, String> labels = new LinkedHashMap<>();
			JsonObject.parse(json).members().forEach((key, value) -> labels.put(key, JsonObject.string(key, value)));
			return labels;
		}

	}

}

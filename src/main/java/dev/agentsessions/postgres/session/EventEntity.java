package dev.agentsessions.postgres.session;

import java.io.Serializable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcType;
import org.hibernate.dialect.type.PostgreSQLJsonPGObjectJsonType;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.session.Event;

/**
 * A row of the table {@code events}. Every statement turns its rows into events with it.
 */
@Entity
@Immutable
@Table(name = "events")
public class EventEntity {

	@EmbeddedId
	private EventKey key;

	private String id;

	private Instant commitTime;

	private Instant time;

	private String author;

	private String invocationId;

	private int size;

	@JdbcType(PostgreSQLJsonPGObjectJsonType.class)
	@Column(columnDefinition = "json")
	private String body;

	@NullUnmarked
	protected EventEntity() {
	}

	public Event toEvent() {
		return new Event(this.key.seq(), this.commitTime, this.id, new JsonText(this.body));
	}

	/**
	 * Returns the event of a row that was read without Hibernate; {@code null} if its
	 * body is deferred.
	 */
	public static @Nullable Event toEvent(ResultSet row) throws SQLException {
		String body = row.getString("body");
		return (body != null) ? new Event(row.getLong("seq"), Columns.time(row, "commit_time"), row.getString("id"),
				new JsonText(body)) : null;
	}

	/**
	 * The primary key of an event.
	 *
	 * @param sessionKey the key of its session
	 * @param seq its seq in the session
	 */
	@Embeddable
	record EventKey(UUID sessionKey, long seq) implements Serializable {

	}

	/** Rows of events, some of which may have their bodies deferred. */
	public static class EventRows extends HeapBoundedReads.Rows {

		private final List<Event> events = new ArrayList<>();

		@Override
		public void processRow(ResultSet row) throws SQLException {
			addEvent(row);
		}

		/**
		 * Adds the event of a row, or counts its size if its body is deferred.
		 * @return the event; {@code null} if its body is deferred
		 */
		protected final @Nullable Event addEvent(ResultSet row) throws SQLException {
			Event event = EventEntity.toEvent(row);
			if (event == null) {
				count(row, true);
			}
			else {
				countEvent(event.body().length());
				this.events.add(event);
			}
			return event;
		}

		/** Returns the events in the order of their rows, without deferred ones. */
		@Override
		public final List<Event> events() {
			return this.events;
		}

	}

}

package dev.agentsessions.postgres;

import java.io.Serializable;
import java.time.Instant;
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

import dev.agentsessions.session.Event;
import dev.agentsessions.json.JsonText;

/** A row of the table {@code events}. */
@Entity
@Immutable
@Table(name = "events")
class EventEntity {

	@EmbeddedId
	private Id key;

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

	Event toEvent() {
		return new Event(this.key.seq(), this.commitTime, this.id, new JsonText(this.body));
	}

	/**
	 * The place of an event.
	 *
	 * @param sessionKey its session
	 * @param seq its number in the session
	 */
	@Embeddable
	record Id(UUID sessionKey, long seq) implements Serializable {

	}

}

package dev.agentsessions.postgres.state;

import java.io.Serializable;
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

import dev.agentsessions.json.JsonText;

/**
 * A row of the table {@code state}: one key of one scope. {@link StateWriter} writes it.
 */
@Entity
@Immutable
@Table(name = "state")
class StateEntity {

	@EmbeddedId
	private StateKey id;

	@JdbcType(PostgreSQLJsonPGObjectJsonType.class)
	@Column(columnDefinition = "json")
	private String value;

	@NullUnmarked
	protected StateEntity() {
	}

	UUID scopeKey() {
		return this.id.scopeKey();
	}

	String key() {
		return this.id.key();
	}

	JsonText value() {
		return new JsonText(this.value);
	}

	/**
	 * The primary key of a row.
	 *
	 * @param scopeKey the key of its scope
	 * @param key the key in the state, without prefix
	 */
	@Embeddable
	record StateKey(UUID scopeKey, String key) implements Serializable {

	}

}

package dev.agentsessions.postgres;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import org.hibernate.annotations.JdbcType;
import org.hibernate.dialect.type.PostgreSQLJsonPGObjectJsonType;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.ForkedFrom;

/**
 * How a session began, in its row.
 *
 * @param initialStateKept whether it is known which own state it was created with
 * @param forkedFrom the session whose copy it began as, in JSON
 */
@Embeddable
record OriginColumns(boolean initialStateKept, @JdbcType(PostgreSQLJsonPGObjectJsonType.class) @Column(
		columnDefinition = "json") @Nullable String forkedFrom) {

	/** That of a session which is created now. */
	static final OriginColumns NEW = new OriginColumns(true, null);

	@Nullable ForkedFrom toForkedFrom() {
		return (this.forkedFrom != null) ? ForkedFrom.of(JsonObject.parse(this.forkedFrom)) : null;
	}

}

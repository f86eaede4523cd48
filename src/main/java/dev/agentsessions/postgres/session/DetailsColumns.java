package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import org.hibernate.annotations.JdbcType;
import org.hibernate.dialect.type.PostgreSQLJsonPGObjectJsonType;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.SessionDetails;

/**
 * The details in the row of a session. Conditions of lists name the columns, too.
 *
 * @param expireTime the time from which on the session is gone
 * @param displayName the name to show
 * @param labels free keys and values, in JSON
 */
@Embeddable
public record DetailsColumns(@Nullable Instant expireTime, @Nullable String displayName,
		@JdbcType(PostgreSQLJsonPGObjectJsonType.class) @Column(
				columnDefinition = "json") @Nullable Map<String, String> labels) {

	/** The columns in an insert or a select. */
	public static final String NAMES = "expire_time, display_name, labels";

	/** The values in an insert. */
	public static final String PLACEHOLDERS = "?, ?, ?::json";

	/** The values in a part of a union that has other rows than sessions. */
	static final String NULLS = "null, null, null";

	static DetailsColumns of(SessionDetails details) {
		return new DetailsColumns(details.expireTime(), details.displayName(), details.labels());
	}

	static DetailsColumns read(ResultSet row) throws SQLException {
		return new DetailsColumns(Columns.timeOrNull(row, "expire_time"), row.getString("display_name"),
				Columns.textsOrNull(row, "labels"));
	}

	/** Adds the values of {@link #PLACEHOLDERS}. */
	static StatementParameters add(SessionDetails details, StatementParameters parameters) throws SQLException {
		Map<String, String> labels = details.labels();
		return parameters.add(details.expireTime())
			.add(details.displayName())
			.add((labels != null) ? JsonObject.ofTexts(labels).toJson().text() : null);
	}

	SessionDetails toDetails() {
		return new SessionDetails(this.displayName, this.labels, this.expireTime);
	}

	/** Returns about how many characters the columns have. */
	int size() {
		return String.valueOf(this.labels).length() + String.valueOf(this.displayName).length();
	}

}

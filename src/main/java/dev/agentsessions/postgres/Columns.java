package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/** Reads columns of rows that Hibernate does not read. */
public final class Columns {

	private Columns() {
	}

	public static Instant time(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	public static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

	public static @Nullable JsonText jsonOrNull(ResultSet row, String column) throws SQLException {
		String json = row.getString(column);
		return (json != null) ? new JsonText(json) : null;
	}

	/** Returns the value of a column whose JSON is an object of strings. */
	public static @Nullable Map<String, String> textsOrNull(ResultSet row, String column) throws SQLException {
		String json = row.getString(column);
		if (json == null) {
			return null;
		}
		Map<String, String> texts = new LinkedHashMap<>();
		JsonObject.parse(json).members().forEach((key, value) -> texts.put(key, value.string(key)));
		return texts;
	}

}

package dev.agentsessions.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.event.NewEvent;

/** Sets the parameters of a statement one after the other. */
public final class StatementParameters {

	private final PreparedStatement statement;

	private int index;

	public StatementParameters(PreparedStatement statement) {
		this.statement = statement;
	}

	public StatementParameters add(@Nullable Object value) throws SQLException {
		this.statement.setObject(++this.index, value);
		return this;
	}

	public StatementParameters add(@Nullable Long value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.BIGINT);
		return this;
	}

	public StatementParameters add(@Nullable Integer value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.INTEGER);
		return this;
	}

	public StatementParameters add(@Nullable Instant value) throws SQLException {
		this.statement.setObject(++this.index, (value != null) ? value.atOffset(ZoneOffset.UTC) : null,
				Types.TIMESTAMP_WITH_TIMEZONE);
		return this;
	}

	/** A time that is compared with if it is there. */
	public StatementParameters addTwice(@Nullable Instant value) throws SQLException {
		return add(value).add(value);
	}

	/** A text that is compared with if it is there. */
	public StatementParameters addTwice(@Nullable String value) throws SQLException {
		return add(value).add(value);
	}

	/** The columns of an event: id, invocation id, author, time, size and body. */
	public StatementParameters add(NewEvent event) throws SQLException {
		add(event.id()).add(event.invocationId()).add(event.author()).add(event.time()).add(event.kind());
		return add(event.body().bytes()).add(event.body().text());
	}

	/** An array of texts, one of each element. */
	public <T> StatementParameters addTexts(List<T> elements, Function<T, @Nullable String> text) throws SQLException {
		return add("text", elements.stream().map(text).toArray(String[]::new));
	}

	/** Arrays of strings and numbers travel in binary if they are typed as such. */
	public StatementParameters add(String type, @Nullable Object[] elements) throws SQLException {
		this.statement.setArray(++this.index, this.statement.getConnection().createArrayOf(type, elements));
		return this;
	}

}

package dev.agentsessions.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.NewEvent;

/** Sets the parameters of a statement one after the other. */
final class Parameters {

	private final PreparedStatement statement;

	private int index;

	Parameters(PreparedStatement statement) {
		this.statement = statement;
	}

	Parameters add(@Nullable Object value) throws SQLException {
		this.statement.setObject(++this.index, value);
		return this;
	}

	Parameters add(@Nullable Long value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.BIGINT);
		return this;
	}

	Parameters add(@Nullable Integer value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.INTEGER);
		return this;
	}

	Parameters add(@Nullable Instant value) throws SQLException {
		this.statement.setObject(++this.index, (value != null) ? value.atOffset(ZoneOffset.UTC) : null,
				Types.TIMESTAMP_WITH_TIMEZONE);
		return this;
	}

	/** A time that is compared with if it is there. */
	Parameters addTwice(@Nullable Instant value) throws SQLException {
		return add(value).add(value);
	}

	/** A text that is compared with if it is there. */
	Parameters addTwice(@Nullable String value) throws SQLException {
		return add(value).add(value);
	}

	/** The columns of an event: id, invocation id, author, time, size and body. */
	Parameters add(NewEvent event) throws SQLException {
		add(event.id()).add(event.invocationId()).add(event.author()).add(event.time()).add(event.kind());
		return add(event.body().bytes()).add(event.body().text());
	}

	/** An array of texts, one of each element. */
	<T> Parameters addTexts(List<T> elements, Function<T, @Nullable String> text) throws SQLException {
		return add("text", elements.stream().map(text).toArray(String[]::new));
	}

	/** Two arrays: the first and the last events of runs. */
	Parameters add(List<SeqRun> runs) throws SQLException {
		add("int8", runs.stream().map((run) -> (long) run.first()).toArray(Long[]::new));
		return add("int8", runs.stream().map((run) -> (long) run.last()).toArray(Long[]::new));
	}

	/** Arrays of strings and numbers travel in binary if they are typed as such. */
	Parameters add(String type, @Nullable Object[] elements) throws SQLException {
		this.statement.setArray(++this.index, this.statement.getConnection().createArrayOf(type, elements));
		return this;
	}

}

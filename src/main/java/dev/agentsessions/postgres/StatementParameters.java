package dev.agentsessions.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery.EventFilter;
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

	public StatementParameters add(@Nullable Instant value) throws SQLException {
		this.statement.setObject(++this.index, (value != null) ? value.atOffset(ZoneOffset.UTC) : null,
				Types.TIMESTAMP_WITH_TIMEZONE);
		return this;
	}

	/**
	 * Adds values one after the other. The statement has to give the type of those that
	 * may be {@code null}.
	 */
	public StatementParameters addAll(@Nullable Object... values) throws SQLException {
		for (Object value : values) {
			if (value instanceof Instant time) {
				add(time);
			}
			else {
				add(value);
			}
		}
		return this;
	}

	/** Adds a time twice, for a condition that applies if it is not null. */
	public StatementParameters addTwice(@Nullable Instant value) throws SQLException {
		return add(value).add(value);
	}

	/** Adds a text twice, for a condition that applies if it is not null. */
	public StatementParameters addTwice(@Nullable String value) throws SQLException {
		return add(value).add(value);
	}

	/**
	 * Adds the columns of an event: id, invocation id, author, time, kind, size and body.
	 */
	public StatementParameters add(NewEvent event) throws SQLException {
		return addAll(event.id(), event.invocationId(), event.author(), event.time(), event.kind(),
				event.body().bytes(), event.body().text());
	}

	/** Adds the parameters of {@link Sql#MATCHES_FILTER}. */
	public StatementParameters add(EventFilter filter) throws SQLException {
		return addTwice(filter.since()).addTwice(filter.author()).addTwice(filter.invocationId());
	}

	/** Adds the parameters of {@link Sql#HAS_POINT}. */
	public StatementParameters add(UUID sessionKey, @Nullable EventPoint point) throws SQLException {
		Instant time = (point != null) ? point.commitTime() : null;
		return add(time).add(sessionKey).add((point != null) ? point.seq() : null).add(time);
	}

	/** Adds an array of texts, one of each element. */
	public <T> StatementParameters addTexts(List<T> elements, Function<T, @Nullable String> text) throws SQLException {
		return add("text", elements.stream().map(text).toArray(String[]::new));
	}

	/** Adds an array. The driver sends arrays of typed strings and numbers in binary. */
	public StatementParameters add(String type, @Nullable Object @Nullable [] elements) throws SQLException {
		this.statement.setArray(++this.index,
				(elements != null) ? this.statement.getConnection().createArrayOf(type, elements) : null);
		return this;
	}

}

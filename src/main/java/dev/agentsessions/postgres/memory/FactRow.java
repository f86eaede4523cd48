package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.FactBody;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.search.text.WordQuery.Word;
import dev.agentsessions.session.Timestamps;

/**
 * The columns of {@code memories} that the search needs, with the body.
 *
 * @param body the body
 * @param analysis the version of the analysis
 * @param text the text
 * @param words the words of the text
 */
record FactRow(FactBody body, int analysis, String text, List<Word> words) {

	/** The columns of a fact. */
	static final String FACT = "id, body, create_time, update_time, expire_time";

	static FactRow of(FactBody body, TextAnalysis analysis) {
		String text = body.said().text();
		return new FactRow(body, analysis.version(), text, analysis.words(text));
	}

	static Fact fact(ResultSet row, int number) throws SQLException {
		return new Fact(Objects.requireNonNull(row.getString("id")),
				new FactBody(JsonObject.parse(Objects.requireNonNull(row.getString("body")))),
				Columns.time(row, "create_time"), Columns.time(row, "update_time"),
				Columns.timeOrNull(row, "expire_time"));
	}

	/** Adds said_at, author, analysis, words, same, tokens and body. */
	StatementParameters addTo(StatementParameters parameters) throws SQLException {
		parameters.add(Timestamps.toMicroseconds(this.body.time()))
			.add(Objects.requireNonNullElse(this.body.author(), ""));
		return addIndexTo(parameters).add(this.body.fields().toJson().text());
	}

	/** Adds analysis, words, same and tokens. */
	StatementParameters addIndexTo(StatementParameters parameters) throws SQLException {
		return parameters.add(Integer.valueOf(this.analysis))
			.add(Integer.valueOf(this.words.size()))
			.add(Long.valueOf(Digests.ofText(this.text)))
			.add(TextSearchTypes.vector(this.words));
	}

}

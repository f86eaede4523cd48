package dev.agentsessions.search;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Timestamps;

/**
 * A stored fact.
 *
 * @param id its id, unique among the facts of its user
 * @param body the text, with author, time and metadata
 * @param createTime when it was created, by the clock of the database
 * @param updateTime when it was last changed, by the clock of the database
 * @param expireTime from then on it does not exist; {@code null} for never
 */
public record Fact(String id, FactBody body, Instant createTime, Instant updateTime, @Nullable Instant expireTime) {

	/** Returns the time that the client gave, or else the time of creation. */
	public Instant time() {
		return Objects.requireNonNullElse(this.body.time(), this.createTime);
	}

	Fact seen(Secrets secrets) {
		return new Fact(this.id, this.body.seen(secrets), this.createTime, this.updateTime, this.expireTime);
	}

	/** Returns the fact as a hit of a search. */
	public Turn toTurn() {
		JsonText seconds = new JsonText(Timestamps.toSeconds(time()).toPlainString());
		return new Turn(this.id, null, Objects.requireNonNullElse(this.body.author(), ""), seconds, this.body.said(),
				this.body.metadata());
	}

}

package dev.agentsessions.adk.search;

import java.math.BigDecimal;
import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.fact.Fact;
import dev.agentsessions.session.Timestamps;

/**
 * A fact. All times are in decimal seconds.
 *
 * @param id its id
 * @param text its texts, each on a line of its own
 * @param content its content, as sent
 * @param author its author; absent if the client has named none
 * @param timestamp the time that the client gave the fact, or else its time of creation
 * @param metadata its metadata; absent if it has none
 * @param createTime when it was created
 * @param updateTime when it was last changed
 * @param expireTime from then on it does not exist; absent if it does not expire
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FactResponse(String id, String text, JsonText content, @Nullable String author, BigDecimal timestamp,
		@Nullable JsonText metadata, BigDecimal createTime, BigDecimal updateTime, @Nullable BigDecimal expireTime) {

	static FactResponse from(Fact fact) {
		Instant expireTime = fact.expireTime();
		return new FactResponse(fact.id(), fact.body().said().text(), fact.body().content(), fact.body().author(),
				Timestamps.toSeconds(fact.time()), fact.body().metadata(), Timestamps.toSeconds(fact.createTime()),
				Timestamps.toSeconds(fact.updateTime()),
				(expireTime != null) ? Timestamps.toSeconds(expireTime) : null);
	}

}

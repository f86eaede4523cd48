package dev.agentsessions.adk.memory;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.FactService.Store.FactChange;
import dev.agentsessions.search.FactService.Store.StoredFact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DetailsFields;
import dev.agentsessions.web.PageTokens;

/** Creates, reads, changes and deletes facts about a user. */
@RestController
@RequestMapping("/apps/{appName}/users/{userId}/memories")
class FactController {

	private static final String LIST = "adk memories";

	private final FactService facts;

	private final PageTokens tokens;

	FactController(FactService facts, PageTokens tokens) {
		this.facts = facts;
		this.tokens = tokens;
	}

	@PostMapping
	ResponseEntity<FactResponse> createMemory(@PathVariable String appName, @PathVariable String userId,
			@RequestBody JsonObject body) {
		StoredFact stored = this.facts.create(scope(appName, userId), newFact(body));
		ResponseEntity.BodyBuilder response = ResponseEntity.status(HttpStatus.CREATED);
		if (!stored.isNew()) {
			response.header(ApiHeaders.REPLAYED, "true");
		}
		return response.body(FactResponse.from(stored.fact()));
	}

	@GetMapping
	FactList listMemories(@PathVariable String appName, @PathVariable String userId,
			@RequestParam @Nullable Integer limit, @RequestParam @Nullable String pageToken) {
		FactQuery query = FactQuery.first(scope(appName, userId), QueryParameters.pageSize(limit));
		Page<Fact> page = this.facts
			.list((pageToken != null) ? query.after(this.tokens.position(pageToken, LIST, List.of(query))) : query);
		return new FactList(page.items().stream().map(FactResponse::from).toList(),
				page.more() ? this.tokens.issue(LIST, List.of(query), FactQuery.texts(page.last())) : null);
	}

	@GetMapping("/{memoryId}")
	FactResponse getMemory(@PathVariable String appName, @PathVariable String userId, @PathVariable String memoryId) {
		return FactResponse.from(this.facts.get(scope(appName, userId), memoryId));
	}

	@PatchMapping("/{memoryId}")
	FactResponse updateMemory(@PathVariable String appName, @PathVariable String userId, @PathVariable String memoryId,
			@RequestBody JsonObject body) {
		return FactResponse.from(this.facts.update(scope(appName, userId), memoryId, change(body)));
	}

	/** Deletes a fact, or forgets the event of a hit. */
	@DeleteMapping("/{memoryId}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void deleteMemory(@PathVariable String appName, @PathVariable String userId, @PathVariable String memoryId) {
		this.facts.delete(scope(appName, userId), memoryId);
	}

	private static MemoryScope scope(String appName, String userId) {
		return MemoryScope.of(new StateOwner(appName, userId));
	}

	/** Reads a new fact; without an id it gets a random one. */
	private static NewFact newFact(JsonObject body) {
		JsonObject fields = KnownFields.FACT.read(body, "");
		String id = fields.string("id");
		return new NewFact((id != null) ? id : UUID.randomUUID().toString(), FactBody.of(fields),
				DetailsFields.expiry(fields));
	}

	private static FactChange change(JsonObject body) {
		JsonObject fields = KnownFields.FACT_CHANGE.read(body, "");
		return new FactChange(fields, DetailsFields.expiry(fields));
	}

	/**
	 * A page of facts.
	 *
	 * @param memories the facts, the newest first
	 * @param nextPageToken the token of the next page; absent on the last page
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record FactList(List<FactResponse> memories, @Nullable String nextPageToken) {

	}

	/**
	 * A fact. All times are in decimal seconds.
	 *
	 * @param id its id
	 * @param text its texts, each on a line of its own
	 * @param content its content, as sent
	 * @param author its author; absent if the client has named none
	 * @param timestamp the time that the client gave the fact, or else its time of
	 * creation
	 * @param metadata its metadata; absent if it has none
	 * @param createTime when it was created
	 * @param updateTime when it was last changed
	 * @param expireTime from then on it does not exist; absent if it does not expire
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record FactResponse(String id, String text, JsonText content, @Nullable String author, BigDecimal timestamp,
			@Nullable JsonText metadata, BigDecimal createTime, BigDecimal updateTime,
			@Nullable BigDecimal expireTime) {

		static FactResponse from(Fact fact) {
			Instant expireTime = fact.expireTime();
			return new FactResponse(fact.id(), fact.body().said().text(), fact.body().content(), fact.body().author(),
					Timestamps.toSeconds(fact.time()), fact.body().metadata(), Timestamps.toSeconds(fact.createTime()),
					Timestamps.toSeconds(fact.updateTime()),
					(expireTime != null) ? Timestamps.toSeconds(expireTime) : null);
		}

	}

}

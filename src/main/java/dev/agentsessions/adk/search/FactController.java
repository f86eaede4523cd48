package dev.agentsessions.adk.search;

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

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.fact.FactQuery;
import dev.agentsessions.search.fact.FactService;
import dev.agentsessions.search.fact.StoredFact;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.PageTokens;

/** Creates, reads, changes and deletes facts about a user. */
@RestController
@RequestMapping("/apps/{appName}/users/{userId}/memories")
class FactController {

	private final FactService facts;

	private final PageTokens tokens;

	FactController(FactService facts, PageTokens tokens) {
		this.facts = facts;
		this.tokens = tokens;
	}

	@PostMapping
	ResponseEntity<FactResponse> createMemory(@PathVariable String appName, @PathVariable String userId,
			@RequestBody JsonObject body) {
		StoredFact stored = this.facts.create(scope(appName, userId), FactRequest.create(body));
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
		FactQuery page = (pageToken != null) ? FactList.after(pageToken, query, this.tokens) : query;
		return FactList.from(this.facts.list(page), query, this.tokens);
	}

	@GetMapping("/{memoryId}")
	FactResponse getMemory(@PathVariable String appName, @PathVariable String userId, @PathVariable String memoryId) {
		return FactResponse.from(this.facts.get(scope(appName, userId), memoryId));
	}

	@PatchMapping("/{memoryId}")
	FactResponse updateMemory(@PathVariable String appName, @PathVariable String userId, @PathVariable String memoryId,
			@RequestBody JsonObject body) {
		return FactResponse.from(this.facts.update(scope(appName, userId), memoryId, FactRequest.change(body)));
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

}

package dev.agentsessions.vertex.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.swagger.v3.oas.annotations.Hidden;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.FactLocator;
import dev.agentsessions.search.FactLocator.FactDirectory.Position;
import dev.agentsessions.search.FactLocator.FactDirectory.ScopedFact;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactException;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.vertex.memory.MemoryBankController.MemoryOperation;
import dev.agentsessions.vertex.memory.MemoryBankController.Unimplemented;
import dev.agentsessions.vertex.memory.MemoryFields.MemoryScopes;
import dev.agentsessions.web.PageTokens;

/** Creates, reads, lists, changes and deletes memories. */
@RestController
@RequestMapping({ ReasoningEngine.PATH + "/memories", ReasoningEngine.EXPRESS_PATH + "/memories" })
class MemoryController {

	private static final String MEMORY = "Memory";

	private final FactService facts;

	private final FactLocator locator;

	private final MemoryList lists;

	MemoryController(FactService facts, FactLocator locator, MemoryList lists) {
		this.facts = facts;
		this.locator = locator;
		this.lists = lists;
	}

	@PostMapping
	MemoryOperation createMemory(ReasoningEngine engine, @RequestParam @Nullable String memoryId,
			@RequestBody JsonObject body) {
		MemoryFields fields = MemoryFields.of(body);
		MemoryScope scope = MemoryScopes.required(engine, fields.fields());
		NewFact fact = fields.toNewFact(memoryId);
		Fact stored = this.facts.createLocatable(scope, fact).fact();
		return MemoryOperation.of(engine, "create", MEMORY, MemoryResource.of(engine, scope, stored));
	}

	@GetMapping
	Map<String, Object> listMemories(ReasoningEngine engine, @RequestParam @Nullable String filter,
			@RequestParam @Nullable String orderBy, @RequestParam @Nullable Integer pageSize,
			@RequestParam @Nullable String pageToken) {
		Unimplemented.check(orderBy != null && !orderBy.isBlank(), "An order of the list");
		int size = MemoryList.size("pageSize", pageSize, FactQuery.MAX_LIMIT);
		MemoryList.Memories page = MemoryScopes.inFilter(engine, filter)
			.map((scope) -> this.lists.ofScope(engine, scope, size, pageToken))
			.orElseGet(() -> this.lists.ofEngine(engine, size, pageToken));
		return page.toResponse("memories", page.items());
	}

	@GetMapping("/{memoryId}")
	Map<String, Object> getMemory(ReasoningEngine engine, @PathVariable String memoryId) {
		MemoryScope scope = this.locator.locate(Access.READ, engine.appName(), memoryId);
		return MemoryResource.of(engine, scope, this.facts.get(scope, memoryId));
	}

	@PatchMapping("/{memoryId}")
	MemoryOperation updateMemory(ReasoningEngine engine, @PathVariable String memoryId,
			@RequestParam @Nullable String updateMask, @RequestBody JsonObject body) {
		MemoryScope scope = this.locator.locate(Access.WRITE, engine.appName(), memoryId);
		Fact changed = this.facts.update(scope, memoryId, MemoryFields.of(body).toChange(engine, scope, updateMask));
		return MemoryOperation.of(engine, "update", MEMORY, MemoryResource.of(engine, scope, changed));
	}

	/** Deletes a memory, or forgets the event of a hit. */
	@DeleteMapping("/{memoryId}")
	MemoryOperation deleteMemory(ReasoningEngine engine, @PathVariable String memoryId) {
		MemoryScope scope = this.locator.locate(Access.WRITE, engine.appName(), memoryId);
		if (!this.facts.delete(scope, memoryId)) {
			throw new FactException.NotFound();
		}
		return MemoryOperation.deleted(engine);
	}

	/** The service only keeps the newest revision of a memory. */
	@Hidden
	@RequestMapping({ "/{memoryId}/revisions/**", "/{memoryId}:rollback" })
	void refuseRevisions() {
		Unimplemented.check(true, "Keeping revisions of memories");
	}

	/**
	 * Reads pages of memories: of a scope the newest first, of an engine in the order of
	 * ids.
	 */
	@Component
	static class MemoryList {

		private static final String LIST = "vertex memories";

		private final FactService facts;

		private final FactLocator locator;

		private final PageTokens tokens;

		MemoryList(FactService facts, FactLocator locator, PageTokens tokens) {
			this.facts = facts;
			this.locator = locator;
			this.tokens = tokens;
		}

		/** Returns a page of the memories of a scope. */
		Memories ofScope(ReasoningEngine engine, MemoryScope scope, int pageSize, @Nullable String pageToken) {
			FactQuery query = FactQuery.first(scope, pageSize);
			if (StringUtils.hasLength(pageToken)) {
				query = query.after(this.tokens.position(pageToken, LIST, List.of(query)));
			}
			Page<Fact> page = this.facts.list(query);
			return new Memories(page.items().stream().map((fact) -> MemoryResource.of(engine, scope, fact)).toList(),
					page.more() ? this.tokens.issue(LIST, List.of(query), FactQuery.texts(page.last())) : null);
		}

		/** Returns a page of all memories of an engine. */
		Memories ofEngine(ReasoningEngine engine, int pageSize, @Nullable String pageToken) {
			List<StateOwner> app = List.of(new StateOwner(engine.appName(), null));
			Position after = StringUtils.hasLength(pageToken)
					? position(engine, this.tokens.position(pageToken, LIST, app)) : null;
			Page<ScopedFact> page = this.locator.list(engine.appName(), after, pageSize);
			return new Memories(
					page.items().stream().map((item) -> MemoryResource.of(engine, item.scope(), item.fact())).toList(),
					page.more() ? this.tokens.issue(LIST, app, texts(page.last())) : null);
		}

		private static String[] texts(ScopedFact last) {
			List<String> texts = new ArrayList<>(List.of(last.fact().id()));
			last.scope().names().forEach((name, text) -> texts.addAll(List.of(name, text)));
			return texts.toArray(String[]::new);
		}

		private static Position position(ReasoningEngine engine, List<String> texts) {
			Map<String, String> names = new LinkedHashMap<>();
			for (int i = 1; i < texts.size(); i += 2) {
				names.put(texts.get(i), texts.get(i + 1));
			}
			return new Position(texts.get(0), new MemoryScope(engine.appName(), names));
		}

		/** Returns the size of a page: at most 100. */
		static int size(String field, @Nullable Integer pageSize, int defaultSize) {
			InvalidArgument.check(pageSize == null || pageSize >= 0, field, "must not be negative");
			return (pageSize == null || pageSize == 0) ? defaultSize : Math.min(pageSize, FactQuery.MAX_LIMIT);
		}

		/**
		 * A page of memories.
		 *
		 * @param items the memories
		 * @param nextPageToken the token of the next page; {@code null} on the last page
		 */
		record Memories(List<Map<String, Object>> items, @Nullable String nextPageToken) {

			/** Returns the response with the page. */
			Map<String, Object> toResponse(String name, List<?> values) {
				Map<String, Object> response = new LinkedHashMap<>();
				response.put(name, values);
				if (this.nextPageToken != null) {
					response.put("nextPageToken", this.nextPageToken);
				}
				return response;
			}

		}

	}

}

package dev.agentsessions.vertex.memory;

import java.util.Map;

import io.swagger.v3.oas.annotations.Hidden;
import org.jspecify.annotations.Nullable;
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
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactException;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.vertex.ReasoningEngine;
import dev.agentsessions.vertex.memory.MemoryBankController.Unimplemented;

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

}

package dev.agentsessions.vertex.memory;

import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.vertex.ReasoningEngineResolver;

/**
 * Refuses requests about revisions: the service only keeps the newest one of a memory.
 */
@Hidden
@RestController
class MemoryRevisionController {

	private static final String REVISIONS = "/memories/{memoryId}/revisions/**";

	private static final String ROLLBACK = "/memories/{memoryId}:rollback";

	@RequestMapping({ ReasoningEngineResolver.PATH + REVISIONS, ReasoningEngineResolver.EXPRESS_PATH + REVISIONS,
			ReasoningEngineResolver.PATH + ROLLBACK, ReasoningEngineResolver.EXPRESS_PATH + ROLLBACK })
	void refuse() {
		Unimplemented.check(true, "Keeping revisions of memories");
	}

}

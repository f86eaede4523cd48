/**
 * The optional client of an embedding model behind an endpoint like OpenAI's. Without
 * {@code agent-sessions.search.embeddings.url} there is none.
 */
@ApplicationModule(allowedDependencies = "search")
@NullMarked
package dev.agentsessions.embedding;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

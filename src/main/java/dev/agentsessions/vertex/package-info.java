/**
 * Dialect 2: the sessions of the Vertex AI API, which the session services of the ADKs
 * speak unchanged. Below, {@code .memory} has the memories of the same API. No other
 * package imports this one.
 */
@ApplicationModule(
		allowedDependencies = { "web", "json", "openapi", "search", "session", "session :: *", "startup", "state" })
@NullMarked
package dev.agentsessions.vertex;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

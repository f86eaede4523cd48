/**
 * Dialect 2: the sessions of the Vertex AI API, which the session services of the ADKs
 * speak unchanged. No other package imports this one.
 */
@ApplicationModule(allowedDependencies = { "web", "web :: *", "json", "openapi", "session", "session :: *", "state" })
@NullMarked
package dev.agentsessions.vertex;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

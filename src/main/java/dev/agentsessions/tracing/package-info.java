/**
 * Traces of requests for OpenTelemetry, with ids and without contents. Off unless the
 * operator configures where traces go; then nothing of it is loaded.
 */
@ApplicationModule(allowedDependencies = { "web", "session", "session :: *" })
@NullMarked
package dev.agentsessions.tracing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * Dialect 1: the HTTP API of ADK's own server, extended by appends, paging and shared
 * state. No other package imports this one.
 */
@ApplicationModule(allowedDependencies = { "web", "json", "openapi", "search", "search :: *", "session", "session :: *",
		"state", "watch" })
@NullMarked
package dev.agentsessions.adk;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

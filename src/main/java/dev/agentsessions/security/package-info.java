/**
 * Who may do what: finds out who calls, by an API key or a token, and decides for all
 * dialects what the caller may touch and how often.
 */
@ApplicationModule(allowedDependencies = { "http", "session" })
@NullMarked
package dev.agentsessions.security;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

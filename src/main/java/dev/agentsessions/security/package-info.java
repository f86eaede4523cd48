/**
 * Who may do what: finds out who calls, by an API key or a token, and decides for all
 * dialects what the caller may touch and how often.
 */
@ApplicationModule(allowedDependencies = { "web", "web :: *", "session", "session :: *" })
@NullMarked
package dev.agentsessions.security;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * Decides who may do what: identifies the caller by an API key or a token, and checks for
 * all dialects what the caller may access and how often.
 *
 * <p>
 * {@link CurrentCaller} knows who calls: the authenticated {@link Caller} with their
 * {@link Caller.Role}, or anybody if the service authenticates nobody.
 */
@ApplicationModule(allowedDependencies = { "web", "web :: *", "session", "session :: *", "startup" })
@NullMarked
package dev.agentsessions.security;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * Decides who may do what: identifies the caller by an API key or a token, and checks for
 * all dialects what the caller may access and how often.
 *
 * <p>
 * {@link CurrentCaller} returns the {@link Caller} of a request, with a
 * {@link Caller.Role}. Without access control, every caller is an administrator.
 */
@ApplicationModule(allowedDependencies = { "web", "session", "session :: *", "startup" })
@NullMarked
package dev.agentsessions.security;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

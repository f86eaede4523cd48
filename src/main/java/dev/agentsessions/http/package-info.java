/**
 * What dialects are, and what they have in common at the socket: how a body is read, how
 * large it may be, what a page token is, and who answers before there is a controller.
 */
@ApplicationModule(allowedDependencies = { "json", "session" })
@NullMarked
package dev.agentsessions.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * The pages on which people look at sessions: who talks with which app, what happened,
 * and which event made the state what it is. Another dialect, of HTML and forms. Nothing
 * here is public.
 */
@ApplicationModule(allowedDependencies = { "web", "web :: *", "json", "session", "session :: *", "state", "watch" })
@NullMarked
package dev.agentsessions.console;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * Shows clients what happens in a session while it happens, whichever replica does it.
 * Knows neither HTTP nor SQL: a dialect is the
 * {@link dev.agentsessions.watch.WatchListener} and opens watches at
 * {@link dev.agentsessions.watch.WatchService}; a store is the
 * {@link dev.agentsessions.watch.WatchStore}.
 */
@ApplicationModule(allowedDependencies = { "session", "session :: *" })
@NullMarked
package dev.agentsessions.watch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

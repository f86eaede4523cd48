/**
 * Makes the first requests itself, before the service reports that it is ready, so that
 * no client waits for the slow first requests. No other package imports this one.
 */
@ApplicationModule(allowedDependencies = { "web", "security" })
@NullMarked
package dev.agentsessions.warmup;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

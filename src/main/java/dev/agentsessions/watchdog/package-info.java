/**
 * Ends a process that can no longer answer, so that its supervisor starts it again. No
 * other package imports this one.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.agentsessions.watchdog;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

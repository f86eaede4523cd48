/**
 * When the service cannot work: explains to the operator why it does not start, and ends
 * a process that can no longer answer, so that its supervisor starts it again.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.agentsessions.startup;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

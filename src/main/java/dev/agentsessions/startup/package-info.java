/** Explains to the operator why the service does not start. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.agentsessions.startup;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * What a session is and what may happen to it: the service that callers use, the port
 * that a store implements, and the values that pass between them.
 */
@ApplicationModule(allowedDependencies = { "json", "state" })
@NullMarked
package dev.agentsessions.session;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

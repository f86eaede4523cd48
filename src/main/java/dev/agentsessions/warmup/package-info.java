/**
 * Does what first requests do before the service says that it is ready, so that no client
 * waits for it. Nothing public.
 */
@ApplicationModule(allowedDependencies = { "web", "web :: *", "security", "security :: *" })
@NullMarked
package dev.agentsessions.warmup;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

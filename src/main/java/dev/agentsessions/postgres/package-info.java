/** Where sessions are kept: three tables in PostgreSQL. Nothing here is public. */
@ApplicationModule(allowedDependencies = { "json", "session", "state", "watch" })
@NullMarked
package dev.agentsessions.postgres;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

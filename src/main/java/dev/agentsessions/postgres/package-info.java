/** Where sessions are kept: tables in PostgreSQL. Nothing here is public. */
@ApplicationModule(allowedDependencies = { "json", "session", "session :: *", "state", "watch" })
@NullMarked
package dev.agentsessions.postgres;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

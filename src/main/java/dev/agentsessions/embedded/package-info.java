/** The PostgreSQL that starts with the program when no other database is configured. */
@ApplicationModule(allowedDependencies = "startup")
@NullMarked
package dev.agentsessions.embedded;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * Defines what the prefix of a state key means: which scope a key belongs to, what a
 * delta changes, and what an agent reads. Pure Java, without any framework.
 */
@ApplicationModule(allowedDependencies = "json")
@NullMarked
package dev.agentsessions.state;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

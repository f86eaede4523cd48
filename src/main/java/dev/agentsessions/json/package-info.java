/**
 * JSON that stays the text in which it was sent: reading its first level, putting it
 * together again, comparing it by value.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.agentsessions.json;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

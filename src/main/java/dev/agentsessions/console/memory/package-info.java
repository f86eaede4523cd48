/**
 * The pages that search sessions and list the facts about a user.
 */
@NullMarked
package dev.agentsessions.console.memory;

import org.jspecify.annotations.NullMarked;

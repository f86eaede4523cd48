/**
 * The pages that list apps, users and sessions.
 */
@NullMarked
package dev.agentsessions.console.list;

import org.jspecify.annotations.NullMarked;

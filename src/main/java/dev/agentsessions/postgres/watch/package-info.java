/** Reads for watches: the revisions of many sessions at once. */
@NullMarked
package dev.agentsessions.postgres.watch;

import org.jspecify.annotations.NullMarked;

/** Sessions at an earlier moment, and forks. */
@NullMarked
package dev.agentsessions.postgres.history;

import org.jspecify.annotations.NullMarked;

/** Create, list and change sessions; the table {@code state} as callers see it. */
@NullMarked
package dev.agentsessions.postgres.manage;

import org.jspecify.annotations.NullMarked;

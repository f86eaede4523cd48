/**
 * The append path: the queue, the groups that share a transaction, the statements, and
 * every insert into {@code events}.
 */
@NullMarked
package dev.agentsessions.postgres.append;

import org.jspecify.annotations.NullMarked;

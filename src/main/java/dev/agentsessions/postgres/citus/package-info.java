/**
 * What the store does in another way where Citus has distributed the tables over several
 * machines. Each class takes the place of one that is there on one machine
 * ({@link dev.agentsessions.postgres.Placement.OnOneMachine}). All other statements are
 * right, and as fast, on both
 * (docs/adr/0015-on-citus-a-statement-keeps-to-one-session.md).
 *
 * <p>
 * {@code Distributed}: each session has a statement, and a transaction, of its own.
 * {@code DistributedAppend}: an append is several statements. {@code DistributedState}: a
 * row of state is written by a statement of its own, and the states of a list are
 * measured before they are read. {@code DistributedNames}: a table makes names unique.
 * {@code DistributedDirectory}: no recursive statements.
 */
@NullMarked
package dev.agentsessions.postgres.citus;

import org.jspecify.annotations.NullMarked;

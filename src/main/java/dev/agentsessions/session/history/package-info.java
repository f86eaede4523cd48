/**
 * Sessions as they were at an earlier moment, forks and rewinds.
 *
 * <p>
 * A rewind ({@link HistoryService}) is an append. It reads the state of the past, which
 * no append changes, and the current state with its revision. It appends the difference
 * if the revision is still the same; otherwise it reads again. So preconditions and
 * limits hold for a rewind as for any append.
 */
@NamedInterface("history")
@NullMarked
package dev.agentsessions.session.history;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

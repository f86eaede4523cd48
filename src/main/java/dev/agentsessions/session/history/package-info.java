/** Sessions as they were at an earlier moment, forks and rewinds. */
@NamedInterface("history")
@NullMarked
package dev.agentsessions.session.history;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

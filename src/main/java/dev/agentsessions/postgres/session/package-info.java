/** The table {@code sessions}: its rows, and how one session is read. */
@NullMarked
package dev.agentsessions.postgres.session;

import org.jspecify.annotations.NullMarked;

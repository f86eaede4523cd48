/**
 * Which events of a session a model sees ({@code view=context}): no event that a rewind
 * takes back; no event that a summary replaces; but a call that waits, the call of each
 * visible answer, and the answers to each visible call.
 *
 * <p>
 * {@link ContextReader} first reads the session and its state, with the fact whether any
 * event rewinds or summarises; then the seqs that remain ({@link ContextViews}); then the
 * events of these seqs, along the primary key, in chunks. A partial index finds the
 * events that rewind or summarise ({@link HistoryEdits}).
 *
 * <p>
 * A view may have more events than ADK shows to a model, because the agent filters again:
 * it never has fewer. So events that are stored after a summary are visible whatever
 * their times are, and several answers to one call are all visible.
 */
@NullMarked
package dev.agentsessions.postgres.context;

import org.jspecify.annotations.NullMarked;

/**
 * Search over the texts that a user and the user's agents have exchanged.
 *
 * <p>
 * Searched are the texts of an event, without thoughts, and the transcriptions of a voice
 * model and spoke ({@link Turn.SaidText}). Function calls, their answers, state and
 * summaries are not. {@code search.text} splits texts and queries into words. The store
 * keeps the index and ranks ({@link SearchService.Store}). {@link Embedder} is the port
 * of an optional embedding model.
 *
 * <p>
 * Nothing is indexed when an event is appended. A search first indexes what the sessions
 * of its user have said since the last search, so it always finds what was acknowledged
 * before it began (docs/adr/0018-indexed-when-a-search-looks.md).
 *
 * <p>
 * <b>Facts</b> are about a user. An agent or a person has stored them. Unlike events,
 * they belong to no session, can be changed and deleted, and may expire.
 *
 * <p>
 * The <b>meaning</b> of a text is a vector that an embedding model gives it.
 */
@ApplicationModule(allowedDependencies = { "json", "session", "session :: *", "state" })
@NullMarked
package dev.agentsessions.search;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/**
 * The memories of the Vertex AI API (Memory Bank), which the memory services of the ADKs
 * speak unchanged. A memory is a fact of {@code search.fact}. A retrieval by similarity
 * also finds what the sessions of a user say. There is no model here: generating memories
 * stores what the client sends word for word.
 *
 * <p>
 * <b>Names.</b> The name of a memory says its engine and its id. {@code FactLocator}
 * finds whose it is: a caller that is a user only has its own, and for others the table
 * has an index by app and id. An id that a client chooses here is unique in the engine.
 *
 * <p>
 * <b>Scopes.</b> {@code app_name} and {@code user_id} are the user, if the name is that
 * of the engine or of its app. Any other map has facts of its own and no sessions.
 */
@NullMarked
package dev.agentsessions.vertex.memory;

import org.jspecify.annotations.NullMarked;

/**
 * Defines what a dialect is, and has what dialects share: request bodies, fields that
 * requests share, page tokens, and the responses for requests that reach no controller.
 *
 * <p>
 * {@link ApiDialect} has what must be known of a dialect before a controller is found:
 * which paths belong to it, which app a path is about, how large a body may be, which
 * paths need no sign-in, and what an error looks like. So rate limits, body limits, the
 * drain before a stop and Tomcat's own error responses work for every dialect. Another
 * dialect is a package that implements the interface.
 *
 * <p>
 * A page token ({@link PageTokens}) is a position in a list, signed for one query of one
 * caller (docs/adr/0010-page-tokens-are-signed.md). The service remembers nothing between
 * two requests.
 *
 * <p>
 * <b>Direct routes</b> ({@link DirectMapping}) call the controllers of the five most
 * frequent requests (append, append of a batch, read of a session, list of events, save
 * of an artifact) without Spring's search for the method, its arguments and its
 * representation, which cost more than the controllers.
 *
 * <p>
 * Only the plain form of a request comes here: names of letters, digits and few signs, so
 * that no character is encoded; known parameters, each once; no headers that ask for
 * another representation. Every other form goes to the same controllers through Spring
 * MVC. Both ways use the same message converters and the same handlers of exceptions, so
 * the answers are the same (DirectRoutesTests).
 *
 * <p>
 * <b>Request bodies</b>: reads them, and limits their size and the memory that they take.
 *
 * <p>
 * <b>Files</b>: inline data of events, and artifacts.
 *
 * <p>
 * {@link InlineDataStripper} leaves large data out of a response ({@code parts=light}).
 * The events are read as always and changed one by one while they are written; what is
 * left out is not stored in memory. The data is found by its offset in the text, which is
 * neither copied nor parsed. With {@code parts=light}, a list puts on one page what would
 * otherwise be several pages.
 *
 * <p>
 * <b>Server-sent events</b>: no thread waits for a client. {@link SseConnection} writes
 * as much as the connection takes and keeps the rest of that one write. Later events are
 * read from the database when the client takes data again. The response is not a request
 * of the servlet container: its connection is taken over, so that an idle watch needs
 * little memory (docs/adr/0013-a-watch-takes-its-connection-over.md).
 *
 * <p>
 * <b>Exports</b>: NDJSON, one JSON object in each line ({@link TransferFormat}).
 *
 * <p>
 * <b>Tomcat</b>: its connectors, valves and limits.
 */
@ApplicationModule(allowedDependencies = { "json", "session", "session :: *", "startup", "watch" })
@NullMarked
package dev.agentsessions.web;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

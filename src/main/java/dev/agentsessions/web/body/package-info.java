/**
 * What goes in and out of a connection. <b>Request bodies</b>: reads them, and limits
 * their size and the memory that they take.
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
@NamedInterface("body")
@NullMarked
package dev.agentsessions.web.body;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

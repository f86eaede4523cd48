/**
 * Server-sent events.
 *
 * <p>
 * No thread waits for a client. {@link SseConnection} writes as much as the connection
 * takes and keeps the rest of that one write. Later events are read from the database
 * when the client takes data again. The response is not a request of the servlet
 * container: its connection is taken over, so that an idle watch needs little memory
 * (docs/adr/0013-a-watch-takes-its-connection-over.md).
 */
@NamedInterface("sse")
@NullMarked
package dev.agentsessions.web.sse;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

/**
 * Events as the Vertex AI API has them, and as they are stored. Only here is known what
 * the fields of the protocol are, and what each client library does otherwise than the
 * others. The rest of the dialect asks {@code WireEvents} and {@code WireSessions}.
 */
@NullMarked
package dev.agentsessions.vertex.event;

import org.jspecify.annotations.NullMarked;

/**
 * Events as the Vertex AI API has them, and as they are stored. Only this package knows
 * the fields of the protocol and how client libraries differ. The rest of the dialect
 * calls {@code WireEvents} and {@code WireSessions}.
 */
@NullMarked
package dev.agentsessions.vertex.event;

import org.jspecify.annotations.NullMarked;

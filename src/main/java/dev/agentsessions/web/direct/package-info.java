/**
 * Calls the controllers of the five most frequent requests (append, append of a batch,
 * read of a session, list of events, save of an artifact) without Spring's search for the
 * method, its arguments and its representation, which cost more than the controllers.
 *
 * <p>
 * Only the plain form of a request comes here: names of letters, digits and few signs, so
 * that no character is encoded; known parameters, each once; no headers that ask for
 * another representation. Every other form goes to the same controllers through Spring
 * MVC. Both ways use the same message converters and the same handlers of exceptions, so
 * the answers are the same (DirectRoutesTests).
 */
@NamedInterface("direct")
@NullMarked
package dev.agentsessions.web.direct;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

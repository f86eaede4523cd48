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
 */
@ApplicationModule(allowedDependencies = { "json", "session", "session :: *", "startup", "watch" })
@NullMarked
package dev.agentsessions.web;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

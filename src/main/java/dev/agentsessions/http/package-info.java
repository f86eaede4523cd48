/**
 * What the dialects have in common at the socket: how a body is read, how kept JSON is
 * written, what a page token is, and how an OpenAPI document is completed.
 */
@ApplicationModule(allowedDependencies = { "json", "session", "state" })
@NullMarked
package dev.agentsessions.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

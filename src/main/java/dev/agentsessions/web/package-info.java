/**
 * What a dialect is, and what dialects have in common: how a body is read, how large it
 * may be, which fields requests share, what a page token is, and who answers before there
 * is a controller.
 */
@ApplicationModule(allowedDependencies = { "json", "session", "session :: *", "watch" })
@NullMarked
package dev.agentsessions.web;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

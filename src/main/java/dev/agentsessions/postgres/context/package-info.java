/**
 * Which events of a session a model sees: rewinds and compactions resolved ({@code
 * view=context}).
 */
@NullMarked
package dev.agentsessions.postgres.context;

import org.jspecify.annotations.NullMarked;

/**
 * Delete, erase and expire sessions, and the sweep of the rows they leave ({@code
 * keys_to_sweep}).
 */
@NullMarked
package dev.agentsessions.postgres.removal;

import org.jspecify.annotations.NullMarked;

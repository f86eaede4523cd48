/**
 * What the pages share: addresses, times and texts cut to a readable length, and what the
 * caller may do.
 *
 * <p>
 * Texts of senders are made readable: Markdown of models as HTML without anything that
 * acts, and the characters behind escapes in JSON.
 */
@NullMarked
package dev.agentsessions.console.view;

import org.jspecify.annotations.NullMarked;

/**
 * Makes texts of senders readable: Markdown of models as HTML without anything that acts,
 * and the characters behind escapes in JSON.
 */
@NullMarked
package dev.agentsessions.console.text;

import org.jspecify.annotations.NullMarked;

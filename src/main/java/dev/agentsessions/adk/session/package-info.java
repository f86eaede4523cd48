/** Creates, reads, lists, changes and deletes sessions; shared state; users. */
@NullMarked
package dev.agentsessions.adk.session;

import org.jspecify.annotations.NullMarked;

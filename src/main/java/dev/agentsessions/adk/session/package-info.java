/** Create, read, list, change and delete sessions; shared state; users. */
@NullMarked
package dev.agentsessions.adk.session;

import org.jspecify.annotations.NullMarked;

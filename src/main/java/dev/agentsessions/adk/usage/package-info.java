/** What sessions, users and apps have spent. */
@NullMarked
package dev.agentsessions.adk.usage;

import org.jspecify.annotations.NullMarked;

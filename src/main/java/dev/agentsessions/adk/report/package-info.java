/** What sessions, users and apps have spent. */
@NullMarked
package dev.agentsessions.adk.report;

import org.jspecify.annotations.NullMarked;

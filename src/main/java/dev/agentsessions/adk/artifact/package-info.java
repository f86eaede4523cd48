/**
 * Routes of artifacts: those of ADK's own server, and routes for raw bytes, for pages and
 * for artifacts of a user outside of sessions. Source of the former: {@code
 * api_server.py} of ADK Python 2.13.
 */
@NullMarked
package dev.agentsessions.adk.artifact;

import org.jspecify.annotations.NullMarked;

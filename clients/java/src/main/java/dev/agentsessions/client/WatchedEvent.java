// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import com.google.adk.events.Event;

/**
 * An event of a session, and its seq.
 *
 * @param seq 1 for the first event of the session, then 2, without a gap
 * @param event the event
 */
public record WatchedEvent(long seq, Event event) {
}

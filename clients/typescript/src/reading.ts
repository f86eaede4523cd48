// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { createEvent, type Event } from '@google/adk';
import { toMillis, type WireEvent } from './values.js';

/** The key of the custom metadata with the paths of what could not be read; the clients in all languages use it. */
const UNREADABLE = 'agent_sessions_unreadable';
const MOST_REPORTED = 1_000;

const KINDS = {
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  object: (value: unknown) => typeof value === 'object' && !Array.isArray(value),
  base64: (value: unknown) => typeof value === 'string' && /^[\w+/-]*={0,2}$/.test(value),
};

/** A kind, an array, or an object with the shapes of its fields. */
type Shape = keyof typeof KINDS | [Shape] | { [field: string]: Shape };

// TypeScript checks no types at run time. These are the values that ADK's own code reads, or that it sends to a model,
// which refuses every later request of the session.
const DATA: Shape = { mimeType: 'string', data: 'base64', fileUri: 'string' };
const PART: Shape = {
  text: 'string',
  thoughtSignature: 'base64',
  inlineData: DATA,
  fileData: DATA,
  functionCall: { id: 'string', name: 'string', args: 'object' },
  functionResponse: {
    id: 'string', name: 'string', response: 'object', parts: [{ inlineData: DATA, fileData: DATA }],
  },
  executableCode: { code: 'string', language: 'string' },
  codeExecutionResult: { outcome: 'string', output: 'string' },
};
const EVENT: Shape = {
  timestamp: 'number',
  branch: 'string',
  isolationScope: 'string',
  interactionId: 'string',
  content: { role: 'string', parts: [PART] },
  actions: {
    stateDelta: 'object', artifactDelta: 'object', requestedAuthConfigs: 'object', requestedToolConfirmations: 'object',
    agentState: 'object', transferToAgent: 'string',
  },
  customMetadata: 'object',
  longRunningToolIds: ['string'],
  nodeInfo: { path: 'string', outputFor: ['string'] },
  usageMetadata: { promptTokenCount: 'number' },
};

const reported = new Set<string>();

/**
 * Reads an event. Leaves out values that ADK cannot hold: only the smallest part that is wrong. Logs them once, and
 * lists their paths in the custom metadata of the event.
 */
export function readEvent(wire: WireEvent, sessionId: string): Event {
  const dropped: string[] = [];
  const event = fitting(wire, EVENT, '', dropped) as WireEvent;
  if (dropped.length > 0) {
    report(sessionId, event.id, dropped.join(', '));
    event.customMetadata = { ...event.customMetadata, [UNREADABLE]: dropped };
  }
  // The service gives an event without an author the author "", which the other ADKs need
  if (!event.author) delete event.author;
  return createEvent({ ...event, timestamp: toMillis(event.timestamp) });
}

/** Returns the part of a value that has a shape, or `undefined`. A field that is null is absent. */
function fitting(value: unknown, shape: Shape, path: string, dropped: string[]): unknown {
  const below = (step: string | number): string => (path === '' ? `${step}` : `${path}.${step}`);
  const kind = typeof shape === 'string' ? shape : 'object';
  if (value === null || !(Array.isArray(shape) ? Array.isArray(value) : KINDS[kind](value))) {
    dropped.push(path);
    return undefined;
  }
  if (typeof shape === 'string') return value;
  if (Array.isArray(value)) {
    const [each] = shape as [Shape];
    return value.map((item, index) => fitting(item, each, below(index), dropped)).filter((item) => item !== undefined);
  }
  const fields = { ...value as Record<string, unknown> };
  for (const [name, inner] of Object.entries(shape)) {
    if (fields[name] != null) fields[name] = fitting(fields[name], inner, below(name), dropped);
    if (fields[name] == null) delete fields[name];
  }
  return fields;
}

/** Logs a report once, however often the event is read. */
function report(sessionId: string, eventId: string, paths: string): void {
  const text = `Session ${sessionId}: ADK cannot hold these parts of the event ${eventId}, which are left out: ${paths}`;
  if (reported.has(text)) return;
  if (reported.size === MOST_REPORTED) reported.clear();
  reported.add(text);
  console.warn(text);
}

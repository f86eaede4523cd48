// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { State, type Event } from '@google/adk';

/** An event with its time in seconds. */
export type WireEvent = Event;

/** Converts seconds to milliseconds, which ADK uses, with up to three decimal digits. */
export function toMillis(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e3;
}

/** Converts milliseconds to seconds as text for a query, exact to the microsecond. */
export function toSeconds(millis: number): string {
  return (millis / 1000).toFixed(6);
}

/** Returns the path of a session, or of the sessions of a user. */
export function sessionsPath(appName: string, userId: string, sessionId?: string): string {
  const path = `/apps/${name(appName)}/users/${name(userId)}/sessions`;
  return sessionId === undefined ? path : `${path}/${name(sessionId)}`;
}

/** Encodes a name as a path segment. Rejects names that would change the path. */
export function name(text: string): string {
  if (/^\.{0,2}$/.test(text.trim())) throw new TypeError(`Not a name of an app, a user or a session: '${text}'`);
  return encodeURIComponent(text);
}

/** Returns the keys of a state that the service stores, in an object without a prototype, so that no key is special. */
export function withoutTemp(state: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(state)) {
    if (!key.startsWith(State.TEMP_PREFIX)) kept[key] = value;
  }
  return kept;
}

/**
 * Encodes a value as JSON. Values that JSON cannot represent, such as a bigint, a function, NaN or a cycle, become
 * text.
 */
export function toJson(value: unknown): string {
  const around: unknown[] = [];
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, given: unknown): unknown {
    const original = this[key];
    while (around.length > 0 && around[around.length - 1] !== this) around.pop();
    if (original instanceof Uint8Array) return Buffer.from(original).toString('base64');
    const plain = given instanceof Map ? Object.fromEntries(given) as unknown : given instanceof Set ? [...given] : given;
    switch (typeof plain) {
      case 'bigint': case 'function': case 'symbol': return String(plain);
      case 'number': return Number.isFinite(plain) ? plain : String(plain);
      case 'object':
        if (plain === null) return null;
        if (around.includes(plain)) return '[circular]';
        around.push(plain);
        return plain;
      default: return plain;
    }
  });
}

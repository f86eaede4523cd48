// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { createHash, randomUUID } from 'node:crypto';
import type { AgentInputItem, SessionHistoryTransaction } from '@openai/agents-core';

type Fields = Record<string, unknown>;

/** An event of the service with an item, or the mark of a transaction. */
export interface StoredEvent extends Fields {
  id: string;
  invocationId: string;
  customMetadata?: { openai?: AgentInputItem; openaiTransaction?: string };
}

/** A session as the service shows it. */
export interface StoredSession {
  events: StoredEvent[];
  seqs: number[];
  revision: number;
  state: Fields;
}

/** What a mark says: the digest of a transaction, or that the session is cleared. */
interface Mark {
  digest?: string;
  isClear?: boolean;
}

/** The key of the state with the id of the event that has cleared the session last. */
const CLEARED = 'openai_cleared';

/**
 * Makes an event of each item: a copy of the item as it is, and what the console and the search read of it.
 *
 * Each event is a turn of its own, because the service takes back whole turns, and `popItem` one item. The package for
 * Python makes the same events.
 */
export function eventsOf(items: readonly AgentInputItem[]): StoredEvent[] {
  return items.map((item) => {
    const copy = copyOf(item);
    const { role, type } = copy as Fields;
    const id = randomUUID();
    const parts = partsOf(copy as Fields);
    const asked = role === 'user' || type === 'function_call_result';
    return {
      id,
      invocationId: id,
      author: role === 'user' || role === 'system' ? role : 'assistant',
      content: parts.length > 0 ? { role: asked ? 'user' : 'model', parts } : undefined,
      customMetadata: { openai: copy },
    };
  });
}

/** Returns the item of an event, `undefined` if another framework has written the event. */
export function itemOf(event: StoredEvent): AgentInputItem | undefined {
  return event.customMetadata?.openai;
}

/** Returns the id of the mark of a transaction. It changes each time that the session is cleared. */
export function markIdOf(operationId: string, session?: StoredSession): string {
  const cleared = session?.state[CLEARED];
  return `transaction-${digestOf(typeof cleared === 'string' ? [cleared, operationId] : operationId)}`;
}

/**
 * Returns the event that takes back the events from `turn` on. It marks a transaction with this digest as applied, or
 * the session as cleared.
 *
 * A rewind takes back itself, too, so no reader of the conversation gets the mark. Without a `turn` it takes back
 * nothing else.
 */
export function markOf(id: string, turn = id, { digest, isClear }: Mark): StoredEvent {
  return {
    id,
    invocationId: id,
    author: 'assistant',
    actions: { rewindBeforeInvocationId: turn, ...(isClear && { stateDelta: { [CLEARED]: id } }) },
    ...(digest !== undefined && { customMetadata: { openaiTransaction: digest } }),
  };
}

/** Returns a text that two values have in common if they are the same JSON, with fields in any order. */
export function digestOf(value: string | SessionHistoryTransaction | (AgentInputItem | string | undefined)[]): string {
  const sorted = JSON.stringify(copyOf(value), (_, field: unknown) => isFields(field)
    ? Object.fromEntries(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1))) : field);
  return createHash('sha256').update(sorted).digest('hex');
}

/** Copies a value as JSON, so that a caller who changes it later changes no retry. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, function refuseBytes(this: Fields, key, field: unknown) {
    if (ArrayBuffer.isView(this[key])) throw new TypeError('An item with bytes is not JSON: use base64 instead');
    return field;
  })) as T;
}

function partsOf({ type, callId, name, arguments: args, output, content }: Fields): Fields[] {
  if (type === 'function_call') return [{ functionCall: { id: callId, name, args: argumentsOf(args) } }];
  if (type === 'function_call_result') {
    const result = isFields(output) && typeof output.text === 'string' ? output.text : output;
    return [{ functionResponse: { id: callId, name, response: { result } } }];
  }
  return textsOf(content).map((text) => (type === 'reasoning' ? { text, thought: true } : { text }));
}

function textsOf(content: unknown): string[] {
  const texts = Array.isArray(content) ? content.map((part: Fields) => part.text ?? part.refusal) : [content];
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}

function argumentsOf(args: unknown): Fields {
  try {
    const read: unknown = JSON.parse(String(args));
    if (isFields(read)) return read;
  } catch {
    // A model has made them
  }
  return { arguments: args };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

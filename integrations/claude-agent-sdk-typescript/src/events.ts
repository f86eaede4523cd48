// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import type { SessionStoreEntry } from '@anthropic-ai/claude-agent-sdk';

/** The key of `customMetadata` under which an event has the entry. */
export const ENTRY = 'claude';

const AGENT = 'claude';

type Fields = Record<string, unknown>;

/** An event as the service stores it. */
export interface StoredEvent extends Fields {
  id: string;
  customMetadata: { [ENTRY]: SessionStoreEntry };
}

/** An entry with the id of its event. */
export type NamedEntry = readonly [id: string, entry: SessionStoreEntry];

/**
 * Makes events of entries: each entry as it is, and what the console and the search read of it. Also returns the turn
 * of the last one.
 *
 * @param turn the id of the event with the last question of a user before them, which names the turn
 */
export function eventsOf(
  entries: NamedEntry[], turn: string | undefined,
): { events: StoredEvent[]; turn: string | undefined } {
  // A message with several blocks is several entries, and each has the tokens of the whole message
  const counted = new Map(entries.map(([id, entry]) => [messageOf(entry).id, id]));
  const tools = new Map(entries.flatMap(([, entry]) => callsIn(entry)));
  const events = entries.map(([id, entry]) => {
    if (isQuestion(entry)) turn = id;
    return eventOf(id, entry, turn, counted.get(messageOf(entry).id) === id, tools);
  });
  return { events, turn };
}

function eventOf(
  id: string, entry: SessionStoreEntry, turn: string | undefined, counts: boolean, tools: Map<string, string>,
): StoredEvent {
  const message = messageOf(entry);
  const parts = blocksOf(message).flatMap((block) => partsOf(block, tools));
  return {
    id,
    author: isQuestion(entry) ? 'user' : AGENT,
    invocationId: turn,
    timestamp: secondsOf(entry.timestamp),
    content: parts.length > 0 ? { role: message.role === 'assistant' ? 'model' : 'user', parts } : undefined,
    modelVersion: textOf(message.model),
    usageMetadata: counts && isFields(message.usage) ? usageOf(message.usage) : undefined,
    customMetadata: { [ENTRY]: entry },
  };
}

/** Whether the entry is what a user has said, and not the result of a tool or a note of the program. */
function isQuestion(entry: SessionStoreEntry): boolean {
  const blocks = blocksOf(messageOf(entry));
  return entry.type === 'user' && entry.isMeta !== true && blocks.length > 0
    && blocks.every(({ type }) => type !== 'tool_result');
}

function messageOf({ message }: SessionStoreEntry): Fields {
  return isFields(message) ? message : {};
}

function blocksOf({ content }: Fields): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isFields) : [];
}

/** Returns the ids of the tool calls of an entry with the names of the tools. */
function callsIn(entry: SessionStoreEntry): [string, string][] {
  return blocksOf(messageOf(entry)).flatMap(({ type, id, name }): [string, string][] =>
    type === 'tool_use' && textOf(id) && textOf(name) ? [[id as string, name as string]] : []);
}

function partsOf(block: Fields, tools: Map<string, string>): Fields[] {
  const { type, text, thinking, name, input, content } = block;
  const id = textOf(block.id) ?? textOf(block.tool_use_id);
  if (type === 'text' && textOf(text)) return [{ text }];
  if (type === 'thinking' && textOf(thinking)) return [{ text: thinking, thought: true }];
  if (type === 'tool_use' && id && textOf(name) && isFields(input)) {
    return [{ functionCall: { id, name, args: input } }];
  }
  if (type === 'tool_result' && id) {
    const response = { [block.is_error === true ? 'error' : 'result']: content ?? null };
    return [{ functionResponse: { id, name: tools.get(id), response } }];
  }
  return [];
}

function usageOf(usage: Fields): Fields {
  const read = countOf(usage.cache_read_input_tokens);
  const prompt = countOf(usage.input_tokens) + countOf(usage.cache_creation_input_tokens) + read;
  const output = countOf(usage.output_tokens);
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: read,
    candidatesTokenCount: output,
    totalTokenCount: prompt + output,
  };
}

function countOf(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 ? value as number : 0;
}

function secondsOf(timestamp: unknown): number | undefined {
  const millis = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(millis) ? undefined : millis / 1000;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

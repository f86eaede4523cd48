// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import type { BaseMemoryService, Event, MemoryEntry, SearchMemoryRequest, Session } from '@google/adk';
import { Client, type AgentSessionsOptions } from './client.js';
import { isCode } from './errors.js';
import { name, toJson } from './values.js';

/** Options of the memory service. */
export interface AgentSessionMemoryOptions extends Omit<AgentSessionsOptions, 'checkStale' | 'view'> {
  /** The maximum number of memories that a search returns, 1 to 100; 5 if absent. */
  limit?: number;
  /** How many turns before and after a hit become lines of its text, 0 to 5; 1 if absent. */
  around?: number;
  /** As for `AgentSessionService`, but 2 if absent, because a model call waits for the search. */
  retries?: number;
  /** As for `AgentSessionService`, but 5,000 if absent, because a model call waits for the search. */
  unavailableTimeoutMillis?: number;
}

/** A memory with more than ADK's entry has. ADK's tools ignore these fields. */
export interface AgentSessionMemory extends MemoryEntry {
  /** Names the event or the fact among all of the user. */
  id?: string;
  /** Of a found memory: `session_id`, `event_id` and `seq` of an event, `score`, and the metadata of a fact. */
  customMetadata?: Record<string, unknown>;
}

export interface AddMemoryRequest {
  appName: string;
  userId: string;
  memories: AgentSessionMemory[];
  /** Metadata of all memories. A memory's own metadata takes precedence. */
  customMetadata?: Record<string, unknown>;
}

export interface AddEventsToMemoryRequest {
  appName: string;
  userId: string;
  events: Event[];
  sessionId?: string;
  customMetadata?: Record<string, unknown>;
}

export interface MemorySearchRequest extends SearchMemoryRequest {
  /** The session in which the user talks now: its events are no memories. ADK's tools do not send it. */
  exceptSessionId?: string;
}

export interface DeleteMemoryRequest {
  appName: string;
  userId: string;
  memoryId: string;
}

interface Texts {
  role?: string;
  parts: { text: string }[];
}

interface Turn {
  author: string;
  content: Texts;
}

interface Hit extends Turn {
  id: string;
  sessionId?: string;
  eventId?: string;
  seq?: number;
  timestamp: number;
  score: number;
  metadata?: Record<string, unknown>;
  before?: Turn[];
  after?: Turn[];
}

/** The service refuses a longer query; a model call with a long message should not fail for it. */
const MAX_QUERY = 2_000;
/** The namespace of UUIDs of names that are URLs. The Python client uses it, too: both give an event the same id. */
const NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** Finds what was said in the sessions that Agent Sessions stores, and stores facts beside them. */
export class AgentSessionMemoryService implements BaseMemoryService {
  private readonly client: Client;
  private readonly limit: number;
  private readonly around: number;

  constructor({ limit = 5, around = 1, ...options }: AgentSessionMemoryOptions = {}) {
    this.client = new Client({ retries: 2, unavailableTimeoutMillis: 5_000, ...options });
    this.limit = limit;
    this.around = around;
  }

  /**
   * Needed only for sessions of another session service: their events are stored as facts. A search finds all events of
   * sessions that Agent Sessions stores, without this call.
   */
  async addSessionToMemory({ appName, userId, id, events }: Session): Promise<void> {
    await this.addEventsToMemory({ appName, userId, events, sessionId: id });
  }

  /**
   * Stores events as facts, unless Agent Sessions stores their session. Adding an event twice adds it once. An event is
   * not stored if another one of the session with its id is there.
   */
  async addEventsToMemory(request: AddEventsToMemoryRequest): Promise<void> {
    const { appName, userId, events, sessionId, customMetadata } = request;
    if (sessionId && await this.isStored(appName, userId, sessionId)) return;
    for (const event of events) {
      const content = textsOf(event);
      if (!content) continue;
      const fact = {
        id: idOf(sessionId, event.id || toJson([event.timestamp, event.author, content])),
        content,
        author: event.author || undefined,
        timestamp: event.timestamp ? event.timestamp / 1000 : undefined,
        metadata: { ...customMetadata, session_id: sessionId, event_id: event.id },
      };
      try {
        await this.send(appName, userId, 'POST', 'memories', fact);
      } catch (error) {
        if (!isCode(error, 'ALREADY_EXISTS')) throw error;
      }
    }
  }

  /** Stores facts. An entry with an id is stored once, however often it is added. */
  async addMemory({ appName, userId, memories, customMetadata }: AddMemoryRequest): Promise<void> {
    for (const { id, content, author, timestamp, customMetadata: own } of memories) {
      await this.send(appName, userId, 'POST', 'memories', {
        id: id || crypto.randomUUID(), // chosen here, so that a retry stores it only once
        content,
        author: author || undefined,
        timestamp,
        metadata: customMetadata || own ? { ...customMetadata, ...own } : undefined,
      });
    }
  }

  /** Returns what was said and the facts that match best. An event with the same words as the query is no memory. */
  async searchMemory(request: MemorySearchRequest): Promise<{ memories: AgentSessionMemory[] }> {
    const { appName, userId, query, exceptSessionId } = request;
    if (!query?.trim()) return { memories: [] };
    const found = await this.send(appName, userId, 'POST', 'events:search', {
      q: cut(query), mode: 'text', exceptSessionId, limit: this.limit, around: this.around, facts: true,
    });
    return { memories: (JSON.parse(found) as { hits: Hit[] }).hits.map(entry) };
  }

  /** Deletes a fact, or makes an event unfindable; its session keeps it. The id is that of a found memory. */
  async deleteMemory({ appName, userId, memoryId }: DeleteMemoryRequest): Promise<void> {
    await this.send(appName, userId, 'DELETE', `memories/${name(memoryId)}`);
  }

  private async isStored(appName: string, userId: string, sessionId: string): Promise<boolean> {
    try {
      await this.send(appName, userId, 'PATCH', 'memory', { sessionId });
      return true;
    } catch (error) {
      if (isCode(error, 'SESSION_NOT_FOUND')) return false;
      throw error;
    }
  }

  private async send(appName: string, userId: string, method: string, action: string, body?: object): Promise<string> {
    const path = `/apps/${name(appName)}/users/${name(userId)}/${action}`;
    return (await this.client.send(userId, method, path, body ? { body: toJson(body) } : {})).body;
  }
}

/** Returns the content with only its texts, without thoughts; `undefined` if it has none. */
function textsOf({ content }: Event): Texts | undefined {
  const parts = (content?.parts ?? []).flatMap(({ text, thought }) => (text?.trim() && !thought ? [{ text }] : []));
  return parts.length > 0 ? { ...(content?.role && { role: content.role }), parts } : undefined;
}

/** Returns the same id for the same event: a UUID of version 5, as in the Python client. */
function idOf(sessionId: string | undefined, eventId: string): string {
  const names = ['agent-sessions', sessionId ?? null, eventId].map((each) => JSON.stringify(each)).join(', ');
  const ascii = `[${names}]`.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const bytes = createHash('sha1').update(NAMESPACE).update(ascii).digest();
  bytes[6] = bytes[6]! & 0x0f | 0x50;
  bytes[8] = bytes[8]! & 0x3f | 0x80;
  return bytes.toString('hex', 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

/** Cuts a query without cutting a surrogate pair. */
function cut(query: string): string {
  return query.length > MAX_QUERY ? query.slice(0, MAX_QUERY).replace(/[\uD800-\uDBFF]$/, '') : query;
}

/** Converts a hit. The turns around it are lines of its text, so that a model sees the whole exchange. */
function entry(hit: Hit): AgentSessionMemory {
  const { id, content, author, timestamp, score, metadata, sessionId, eventId, seq } = hit;
  const near = [...hit.before ?? [], hit, ...hit.after ?? []];
  const lines = near.map((turn) => `${turn.author}: ${textOf(turn)}`).join('\n');
  const origin = { session_id: sessionId, event_id: eventId, seq };
  return {
    id,
    content: near.length > 1 ? { ...content, parts: [{ text: lines }] } : content,
    ...(author && { author }),
    timestamp: new Date(Math.round(timestamp * 1000)).toISOString(),
    customMetadata: { ...(sessionId && origin), score, ...metadata },
  };
}

function textOf({ content }: Turn): string {
  return content.parts.map(({ text }) => text).join('\n');
}

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { setTimeout as pauseFor } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  foldSessionSummary, type SessionKey, type SessionStore, type SessionStoreEntry, type SessionSummaryEntry,
} from '@anthropic-ai/claude-agent-sdk';
import { Connection, isCode, namesIn, sessionName } from './connection.js';
import { ENTRY, eventsOf, type NamedEntry, type StoredEvent } from './events.js';

/** The key of the session's state with the summary that the SDK makes. The SDK for Python makes others. */
const SUMMARY = 'claude_summary_typescript';
const PYTHON_SUMMARY = 'claude_summary';
const MOST_ENTRIES = 100; // as many ids as the service looks up at once
const MOST_CHARACTERS = 500_000;
const MOST_HEADS = 1_000;

type Summary = SessionSummaryEntry['data'];

interface StoredSession {
  id: string;
  state: Record<string, Summary>;
  events: (StoredEvent & { invocationId?: string })[];
  lastUpdateTime: number;
  revision: number;
}

interface Transcript {
  sessionId: string;
  mtime: number;
  state: StoredSession['state'];
}

/** What an append has to know of the session before it. */
interface Head {
  etag: string;
  turn: string | undefined;
  summary: Summary | undefined;
}

export interface AgentSessionStoreOptions {
  /** The app of the sessions. */
  appName: string;
  /** The user of the sessions. */
  userId: string;
  /**
   * The connection to the service, which stores of several users share. If absent, the store has its own, to the
   * address in `AGENT_SESSIONS_URL`.
   */
  connection?: Connection;
}

/**
 * Stores the transcripts of one user: `query({ prompt, options: { sessionStore } })`.
 *
 * Each transcript is a session, each entry an event. The `uuid` of an entry is the id of its event, so an entry that is
 * appended again is stored once. The transcript of a subagent is a session of its own.
 */
export class AgentSessionStore implements SessionStore {
  private readonly connection: Connection;
  private readonly sessions: string[];
  private readonly heads = new Map<string, Head>();
  private readonly queues = new Map<string, Promise<void>>();

  constructor({ appName, userId, connection = new Connection() }: AgentSessionStoreOptions) {
    this.connection = connection;
    this.sessions = ['apps', appName, 'users', userId, 'sessions'];
  }

  /**
   * Appends entries after the newest one, after all earlier calls for the same transcript. Entries with a `uuid` that
   * the session has already are left out.
   */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const id = idOf(key);
    const turn = (this.queues.get(id) ?? Promise.resolve()).then(() => this.appendAll(key, entries));
    const settled = turn.catch(() => undefined);
    this.queues.set(id, settled);
    await turn.finally(() => {
      if (this.queues.get(id) === settled) this.queues.delete(id);
    });
  }

  /** Returns the entries of a transcript in the order in which they were stored, `null` if there are none. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    try {
      const { events } = (await this.connection.send('GET', [...this.sessions, idOf(key)])).body as StoredSession;
      const entries = events.flatMap(({ customMetadata }) => customMetadata?.[ENTRY] ?? []);
      return entries.length > 0 ? entries : null;
    } catch (error) {
      if (isCode(error, 'SESSION_NOT_FOUND')) return null;
      throw error;
    }
  }

  /** Returns the transcripts of a project, without those of subagents. */
  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return (await this.transcripts(projectKey)).map(({ sessionId, mtime }) => ({ sessionId, mtime }));
  }

  /**
   * Returns the summaries of a project's transcripts, which each append brings up to date. The SDK reads a transcript
   * that also the SDK for Python has written instead.
   */
  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return (await this.transcripts(projectKey)).flatMap(({ sessionId, mtime, state }) => {
      const data = state[SUMMARY];
      return data && !(PYTHON_SUMMARY in state) ? [{ sessionId, mtime, data }] : [];
    });
  }

  /** Deletes a transcript, and with the main transcript those of its subagents. */
  async delete(key: SessionKey): Promise<void> {
    const subpaths = key.subpath ? [] : await this.listSubkeys(key);
    for (const id of [...subpaths.map((subpath) => idOf({ ...key, subpath })), idOf(key)]) {
      await this.connection.send('DELETE', [...this.sessions, id]);
      this.heads.delete(id);
    }
  }

  /** Returns the paths of the transcripts of a session's subagents. */
  async listSubkeys({ projectKey, sessionId }: { projectKey: string; sessionId: string }): Promise<string[]> {
    const sessions = await this.list(projectKey, sessionId);
    return sessions.flatMap(({ id }) => namesIn(id).slice(2));
  }

  private async transcripts(projectKey: string): Promise<Transcript[]> {
    const sessions = await this.list(projectKey);
    return sessions.flatMap(({ id, lastUpdateTime, state }) => {
      const [, sessionId = '', ...subpath] = namesIn(id);
      return subpath.length > 0 ? [] : [{ sessionId, mtime: Math.floor(lastUpdateTime * 1000), state }];
    });
  }

  private async appendAll(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const unique = new Map<string, SessionStoreEntry>();
    for (const entry of entries) {
      const id = sessionName(typeof entry.uuid === 'string' && entry.uuid ? entry.uuid : crypto.randomUUID());
      if (!unique.has(id)) unique.set(id, entry);
    }
    for (const some of chunks([...unique])) await this.appendSome(key, some);
  }

  /** Appends in one transaction if nobody else has appended since the head was read; otherwise reads it again. */
  private async appendSome(key: SessionKey, entries: NamedEntry[]): Promise<void> {
    const id = idOf(key);
    for (let pause = 10; entries.length > 0; pause = Math.min(2 * pause, 500)) {
      const head = this.heads.get(id) ?? await this.open(id);
      const { events, turn } = eventsOf(entries, head.turn);
      const summary = addSummary(key, entries, head.summary, events);
      this.heads.delete(id);
      try {
        const request = { body: { events }, headers: { 'If-Match': head.etag } };
        const { headers } = await this.connection.send('POST', [...this.sessions, id], '/events:batch', request);
        // After an answer of an earlier try, others may have appended
        if (!headers.has('Idempotent-Replayed')) this.keep(id, { etag: headers.get('ETag') ?? '', turn, summary });
        return;
      } catch (error) {
        if (isCode(error, 'EVENT_ID_CONFLICT')) entries = await this.withoutStored(id, entries);
        else if (!isCode(error, 'STALE_SESSION', 'SESSION_NOT_FOUND')) throw error;
        await pauseFor(Math.random() * pause);
      }
    }
  }

  private keep(id: string, head: Head): void {
    this.heads.set(id, head);
    for (const oldest of this.heads.keys()) {
      if (this.heads.size <= MOST_HEADS) return;
      this.heads.delete(oldest);
    }
  }

  /** Reads the newest event and the state, and creates the session if it does not exist. */
  private async open(id: string): Promise<Head> {
    for (;;) {
      try {
        const query = { numRecentEvents: '1', parts: 'light' };
        const { headers, body } = await this.connection.send('GET', [...this.sessions, id], '', { query });
        const { state, events } = body as StoredSession;
        return {
          etag: headers.get('ETag') ?? '',
          turn: events[0]?.invocationId || undefined,
          summary: state[SUMMARY],
        };
      } catch (error) {
        if (!isCode(error, 'SESSION_NOT_FOUND')) throw error;
        await this.create(id);
      }
    }
  }

  private async create(sessionId: string): Promise<void> {
    try {
      await this.connection.send('POST', this.sessions, '', { body: { sessionId } });
    } catch (error) {
      if (!isCode(error, 'ALREADY_EXISTS')) throw error;
    }
  }

  /** Leaves out entries whose ids the session has, with whatever content: the first one stays. */
  private async withoutStored(id: string, entries: NamedEntry[]): Promise<NamedEntry[]> {
    const request = { body: { ids: entries.map(([eventId]) => eventId) } };
    const { body } = await this.connection.send('POST', [...this.sessions, id], '/events:get', request);
    const missing = new Set((body as { missing: string[] }).missing);
    return entries.filter(([eventId]) => missing.has(eventId));
  }

  /** Returns the sessions with events whose names begin with these and have more. */
  private async list(...names: string[]): Promise<StoredSession[]> {
    const prefix = `${sessionName(...names)}:`;
    const query: Record<string, string> = { prefix, includeRevision: 'true' };
    const found: StoredSession[] = [];
    for (let token: string | null = ''; token !== null;) {
      const { headers, body } = await this.connection.send('GET', this.sessions, '', { query });
      found.push(...(body as StoredSession[]).filter(({ id, revision }) => id.startsWith(prefix) && revision > 0));
      token = headers.get('X-Next-Page-Token');
      query.pageToken = token ?? '';
    }
    return found;
  }
}

/** Returns the summary with the entries. If it has changed, the last event sets it. */
function addSummary(
  key: SessionKey, entries: NamedEntry[], before: Summary | undefined, events: StoredEvent[],
): Summary | undefined {
  if (key.subpath) return undefined;
  const previous = before && { sessionId: key.sessionId, mtime: 0, data: before };
  // As JSON has it: the SDK sets some fields to undefined
  const folded = foldSessionSummary(previous, key, entries.map(([, entry]) => entry)).data;
  const summary = JSON.parse(JSON.stringify(folded)) as Summary;
  const last = events.at(-1);
  if (last && !isDeepStrictEqual(summary, before)) last.actions = { stateDelta: { [SUMMARY]: summary } };
  return summary;
}

/** Divides entries into appends that the service accepts, in their order. */
function* chunks(entries: NamedEntry[]): Generator<NamedEntry[]> {
  let some: NamedEntry[] = [];
  let size = 0;
  for (const named of entries) {
    const { length } = JSON.stringify(named[1]);
    if (some.length === MOST_ENTRIES || (some.length > 0 && size + length > MOST_CHARACTERS)) {
      yield some;
      [some, size] = [[], 0];
    }
    some.push(named);
    size += length;
  }
  if (some.length > 0) yield some;
}

function idOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return sessionName(projectKey, sessionId, ...(subpath ? [subpath] : []));
}

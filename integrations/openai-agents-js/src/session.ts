// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { randomUUID } from 'node:crypto';
import type {
  AgentInputItem, SessionHistoryTransactionArgs, SessionHistoryTransactionAwareSession,
} from '@openai/agents-core';
import { AgentSessionsError, type Answer, Connection, isCode, sessionName } from './connection.js';
import {
  digestOf, eventsOf, itemOf, markIdOf, markOf, type StoredEvent, type StoredSession,
} from './events.js';

const MOST_ITEMS = 1_000; // as many events as the service stores in one transaction

interface NumberedItem {
  item: AgentInputItem;
  seq: number;
  turn: string;
}

/** Where a session is. */
export interface AgentSessionOptions {
  /** The id of the session, with any characters. */
  sessionId: string;
  appName: string;
  userId: string;
  /** The connection to the service, which sessions share; one to the address in `AGENT_SESSIONS_URL` if absent. */
  connection?: Connection;
}

/**
 * A session of a user: `run(agent, input, { session })`.
 *
 * Each item is an event. What `popItem`, `clearSession` or a transaction removes is rewound: no reader gets it as part
 * of the conversation, and the history still has it.
 *
 * A compaction of the SDK reads the items, waits for a model, reads them again, clears the session and adds a summary.
 * What another process has added since the first read is not in the summary, so it comes after the summary.
 */
export class AgentSession implements SessionHistoryTransactionAwareSession {
  private readonly sessionId: string;
  private readonly connection: Connection;
  private readonly sessions: string[];
  private readonly name: string;
  /** The revisions of the last two reads of the caller. */
  private revisions: number[] = [];
  /** The seqs of events that this object has added since the first of these reads. */
  private own = new Set<number>();
  /** What others have added of that which the caller has just cleared. */
  private unread: AgentInputItem[] | undefined;

  /** Creates nothing yet: the first item creates the session. */
  constructor({ sessionId, appName, userId, connection }: AgentSessionOptions) {
    this.sessionId = sessionId;
    this.connection = connection ?? new Connection();
    this.sessions = ['apps', appName, 'users', userId, 'sessions'];
    this.name = sessionName(sessionId);
  }

  async getSessionId(): Promise<string> {
    return this.sessionId;
  }

  /** Returns the items, oldest first, or the newest ones if there is a limit. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    if (limit !== undefined && limit <= 0) return [];
    const session = await this.read(limit);
    const read = session ? (session.body as StoredSession).revision : 0;
    this.revisions = [...this.revisions.slice(-1), read];
    this.own = new Set([...this.own].filter((seq) => seq > (this.revisions[0] ?? 0)));
    this.unread = undefined;
    return itemsIn(session).map(({ item }) => item);
  }

  /**
   * Adds items after the newest one, all or none of up to 1,000, and creates the session if it does not exist. Directly
   * after `clearSession`, they come before items that others have added meanwhile.
   */
  async addItems(items: AgentInputItem[]): Promise<void> {
    const events = eventsOf(items);
    const { unread } = this;
    this.unread = undefined;
    if (unread && events.length > 0) await this.replace(events, unread);
    else await this.append(events);
  }

  /** Removes the newest item and returns it, `undefined` if there is none. Two callers never get the same item. */
  async popItem(): Promise<AgentInputItem | undefined> {
    this.unread = undefined;
    for (;;) {
      const session = await this.read(1);
      const [newest] = eventsIn(session);
      const item = newest && itemOf(newest);
      if (!session || !item) return undefined;
      const rewind = { beforeEventId: newest.id, eventId: randomUUID() };
      if (await this.isDoneUnlessChanged(':rewind', rewind, session)) return item;
    }
  }

  /** Removes all items. The session keeps its history, its state, its display name and its labels. */
  async clearSession(): Promise<void> {
    const removed = await this.replace([], []);
    const read = this.revisions[0] ?? Infinity;
    this.unread = removed.filter(({ seq }) => seq > read && !this.own.has(seq)).map(({ item }) => item);
  }

  /**
   * Appends items, or replaces the newest ones, in one transaction of the service. A second call with the same
   * `operationId` and transaction changes nothing, until the session is cleared.
   *
   * @throws AgentSessionsError if the newest items are not those that the transaction replaces, or the `operationId`
   *     has another transaction already; the session is as before
   */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    if (!operationId.trim()) throw new AgentSessionsError('The operationId has to be a non-empty string');
    const digest = digestOf(transaction);
    const isAppend = transaction.type === 'append_items';
    const expected = structuredClone(isAppend ? [] : transaction.expectedSuffix);
    const added = eventsOf(isAppend ? transaction.items : transaction.replacement);
    this.unread = undefined;
    for (;;) {
      // The mark is read after the session: if it is stored later, the session has changed, and nothing is appended
      const session = await this.read(expected.length);
      const id = markIdOf(operationId, session?.body as StoredSession | undefined);
      if (session && (await this.isApplied(id, digest))) return;
      const replaced = eventsIn(session);
      if (digestOf(replaced.map(itemOf)) !== digestOf(expected)) {
        throw new AgentSessionsError('The suffix no longer matches: the newest items are not those to replace');
      }
      if (!session) await this.create();
      else {
        const events = [markOf(id, replaced[0]?.invocationId, { digest }), ...added];
        if (await this.isDoneUnlessChanged('/events:batch', { events }, session)) return;
      }
    }
  }

  /** Appends events after the newest one, and creates the session if it does not exist. */
  private async append(events: StoredEvent[]): Promise<void> {
    for (let first = 0; first < events.length; first += MOST_ITEMS) {
      const some = events.slice(first, first + MOST_ITEMS);
      while (!(await this.isDone('/events:batch', { events: some }, {}, 'SESSION_NOT_FOUND'))) await this.create();
    }
  }

  /**
   * Removes all items and adds events, in one transaction. Returns the removed items. If there are events, the unread
   * items and the removed ones are added after them.
   */
  private async replace(events: StoredEvent[], unread: AgentInputItem[]): Promise<NumberedItem[]> {
    for (;;) {
      const session = await this.read();
      const removed = itemsIn(session);
      const isClear = events.length === 0;
      const marks = removed[0] || (isClear && session) ? [markOf(randomUUID(), removed[0]?.turn, { isClear })] : [];
      const behind = isClear ? [] : eventsOf([...unread, ...removed.map(({ item }) => item)]);
      const batch = [...marks, ...events, ...behind];
      if (batch.length === 0) return removed;
      if (!session) await this.create();
      else if (await this.isDoneUnlessChanged('/events:batch', { events: batch.slice(0, MOST_ITEMS) }, session)) {
        await this.append(batch.slice(MOST_ITEMS));
        return removed;
      }
    }
  }

  private path(): string[] {
    return [...this.sessions, this.name];
  }

  /** Reads the newest events that are not rewound, all of them without a limit. */
  private async read(limit?: number): Promise<Answer | undefined> {
    const newest = limit !== undefined && { numRecentEvents: String(limit) };
    const query = { view: 'context', includeRevision: 'true', seqs: 'true', ...newest };
    return this.found(this.connection.send('GET', this.path(), '', { query }));
  }

  private async isApplied(id: string, digest: string): Promise<boolean> {
    const mark = await this.found(this.connection.send('GET', [...this.path(), 'events', id]));
    if (mark && (mark.body as StoredEvent).customMetadata?.openaiTransaction !== digest) {
      throw new AgentSessionsError('The operationId was already applied with a different transaction');
    }
    return mark !== undefined;
  }

  private async found(answer: Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (isCode(error, 'SESSION_NOT_FOUND', 'EVENT_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  /** Sends a change of the session as it was read; returns whether it was still the same. */
  private async isDoneUnlessChanged(action: string, body: unknown, { headers }: Answer): Promise<boolean> {
    const unchanged = { 'If-Match': headers.get('ETag') ?? '' };
    return this.isDone(action, body, unchanged, 'STALE_SESSION', 'SESSION_NOT_FOUND');
  }

  /** Returns false if the service refuses the request with one of the codes. */
  private async isDone(
    action: string, body: unknown, headers: Record<string, string>, ...codes: string[]
  ): Promise<boolean> {
    try {
      const answer = await this.connection.send('POST', this.path(), action, { body, headers });
      for (const seq of (answer.body as { seqs?: number[] }).seqs ?? []) this.own.add(seq);
      return true;
    } catch (error) {
      if (isCode(error, ...codes)) return false;
      throw error;
    }
  }

  private async create(): Promise<void> {
    try {
      await this.connection.send('POST', this.sessions, '', { body: { sessionId: this.name } });
    } catch (error) {
      if (!isCode(error, 'ALREADY_EXISTS')) throw error;
    }
  }
}

/** Returns the items that this package has stored, each with its seq and its turn. */
function itemsIn(session: Answer | undefined): NumberedItem[] {
  const seqs = session ? (session.body as StoredSession).seqs : [];
  return eventsIn(session).flatMap((event, index) => {
    const item = itemOf(event);
    return item ? [{ item, seq: seqs[index] ?? 0, turn: event.invocationId }] : [];
  });
}

function eventsIn(session: Answer | undefined): StoredEvent[] {
  return session ? (session.body as StoredSession).events : [];
}

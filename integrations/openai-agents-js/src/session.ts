// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { randomUUID } from 'node:crypto';
import type {
  AgentInputItem, SessionHistoryTransactionArgs, SessionHistoryTransactionAwareSession,
} from '@openai/agents-core';
import { AgentSessionsError, type Answer, Connection, isCode, sessionName } from './connection.js';
import { digestOf, eventsOf, itemOf, markIdOf, markOf, type StoredEvent } from './events.js';

const MOST_ITEMS = 1_000; // as many events as the service stores in one transaction

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
 * Each item is an event. What `popItem` or a transaction removes is rewound: no reader gets it as part of the
 * conversation, and the history still has it. `clearSession` deletes everything.
 */
export class AgentSession implements SessionHistoryTransactionAwareSession {
  private readonly sessionId: string;
  private readonly connection: Connection;
  private readonly sessions: string[];
  private readonly name: string;

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
    const events = eventsIn(await this.read(limit));
    return events.map(itemOf).filter((item) => item !== undefined);
  }

  /** Adds items after the newest one, all or none of up to 1,000, and creates the session if it does not exist. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    const events = eventsOf(items);
    for (let first = 0; first < events.length; first += MOST_ITEMS) {
      const some = events.slice(first, first + MOST_ITEMS);
      while (!(await this.isDone('/events:batch', { events: some }, {}, 'SESSION_NOT_FOUND'))) await this.create();
    }
  }

  /** Removes the newest item and returns it, `undefined` if there is none. Two callers never get the same item. */
  async popItem(): Promise<AgentInputItem | undefined> {
    for (;;) {
      const session = await this.read(1);
      const [newest] = eventsIn(session);
      const item = newest && itemOf(newest);
      if (!session || !item) return undefined;
      const rewind = { beforeEventId: newest.id, eventId: randomUUID() };
      if (await this.isDoneUnlessChanged(':rewind', rewind, session)) return item;
    }
  }

  /** Deletes the session with its items. The next item creates it again. */
  async clearSession(): Promise<void> {
    await this.connection.send('DELETE', this.path());
  }

  /**
   * Appends items, or replaces the newest ones, in one transaction of the service. A second call with the same
   * `operationId` and transaction changes nothing.
   *
   * @throws AgentSessionsError if the newest items are not those that the transaction replaces, or the `operationId`
   *     has another transaction already; the session is as before
   */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    if (!operationId.trim()) throw new AgentSessionsError('The operationId has to be a non-empty string');
    const [id, digest] = [markIdOf(operationId), digestOf(transaction)];
    const isAppend = transaction.type === 'append_items';
    const expected = structuredClone(isAppend ? [] : transaction.expectedSuffix);
    const added = eventsOf(isAppend ? transaction.items : transaction.replacement);
    for (;;) {
      // The mark is read after the session: if it is stored later, the session has changed, and nothing is appended
      const session = await this.read(expected.length);
      if (session && (await this.isApplied(id, digest))) return;
      const replaced = eventsIn(session);
      if (digestOf(replaced.map(itemOf)) !== digestOf(expected)) {
        throw new AgentSessionsError('The suffix no longer matches: the newest items are not those to replace');
      }
      if (!session) await this.create();
      else {
        const events = [markOf(id, digest, replaced[0]?.invocationId), ...added];
        if (await this.isDoneUnlessChanged('/events:batch', { events }, session)) return;
      }
    }
  }

  private path(): string[] {
    return [...this.sessions, this.name];
  }

  /** Reads the newest events that are not rewound, all of them without a limit. */
  private async read(limit?: number): Promise<Answer | undefined> {
    const query = { view: 'context', ...(limit !== undefined && { numRecentEvents: String(limit) }) };
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
      await this.connection.send('POST', this.path(), action, { body, headers });
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

function eventsIn(session: Answer | undefined): StoredEvent[] {
  return session ? (session.body as { events: StoredEvent[] }).events : [];
}

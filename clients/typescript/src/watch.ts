// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { setTimeout as pauseFor } from 'node:timers/promises';
import type { CompositeSessionKey, Event } from '@google/adk';
import { TEMPORARY, type Client } from './client.js';
import { problem, retryAfter } from './errors.js';
import { messages } from './messages.js';
import { readEvent } from './reading.js';
import { sessionsPath, type WireEvent } from './values.js';

export interface WatchRequest extends CompositeSessionKey {
  /**
   * The seq of the event after which the watch begins, 0 for all events. If absent, the watch begins with the next
   * event that a writer appends.
   */
  afterSeq?: number;
  /** Ends the watch, which then fails with the reason of the signal. */
  signal?: AbortSignal;
  /** How long the client tries to reconnect, in milliseconds; `unavailableTimeoutMillis` if absent. */
  patience?: number;
}

/** An event of a session with its seq. */
export interface WatchedEvent {
  /** 1 for the first event of the session, then 2, without a gap. */
  seq: number;
  event: Event;
}

/**
 * How long a connection may be silent before it counts as broken, in milliseconds. The service sends something every 15
 * seconds.
 */
const LONGEST_SILENCE = 40_000;
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** The events of a session as writers append them. `await using` also ends the watch. */
export interface WatchedEvents extends AsyncGenerator<WatchedEvent, void, undefined>, AsyncDisposable {}

/** The state of one watch over all its connections. */
export class Watch implements WatchedEvents {
  private seq: number | undefined;
  private lastId: string | undefined;
  private creation: string | undefined;
  private readonly stopped = new AbortController();
  private connection = new AbortController();
  private readonly generator = this.events();
  private trouble: unknown;
  private over = false;

  constructor(private readonly client: Client, private readonly request: WatchRequest) {
    this.seq = request.afterSeq;
  }

  next(): Promise<IteratorResult<WatchedEvent, void>> {
    return this.generator.next();
  }

  /** Ends the watch, and a pending `next()`. */
  return(): Promise<IteratorResult<WatchedEvent, void>> {
    this.stop();
    return this.generator.return();
  }

  /** Ends the watch with an error. */
  throw(error: unknown): Promise<IteratorResult<WatchedEvent, void>> {
    this.stop();
    return this.generator.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the watch at the end of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  private readonly stop = (): void => {
    this.stopped.abort();
    this.connection.abort();
  };

  /** Yields the events until the session is gone or the caller ends the watch. */
  private async* events(): AsyncGenerator<WatchedEvent, void, undefined> {
    const { signal, patience = this.client.reach.unavailableTimeout } = this.request;
    signal?.addEventListener('abort', this.stop);
    try {
      let deadline = Date.now() + patience;
      for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
        signal?.throwIfAborted();
        const response = await this.connect();
        let wait = pause * (0.5 + Math.random() / 2);
        if (response?.ok) {
          yield* this.read(response);
          deadline = Date.now() + patience;
          pause = SHORTEST_PAUSE;
        } else if (response) {
          wait = Math.max(wait, await this.refusal(response));
        }
        signal?.throwIfAborted();
        if (this.over || this.stopped.signal.aborted) return;
        const left = deadline - Date.now();
        if (left <= 0) throw this.trouble ?? new Error('The connection ended');
        await pauseFor(Math.min(wait, left), undefined, { signal: this.stopped.signal }).catch(() => undefined);
      }
    } finally {
      signal?.removeEventListener('abort', this.stop);
      this.stop();
    }
  }

  /** Requests the events after the last one. */
  private async connect(): Promise<Response | undefined> {
    this.connection.abort();
    this.connection = new AbortController();
    if (this.stopped.signal.aborted) return undefined;
    const { appName, userId, sessionId } = this.request;
    const path = `${sessionsPath(appName, userId, sessionId)}/events:watch`;
    const query = new URLSearchParams(this.seq === undefined ? {} : { afterSeq: String(this.seq) });
    const headers = {
      Accept: 'text/event-stream',
      ...(this.lastId !== undefined && { 'Last-Event-ID': this.lastId }),
    };
    const token = await this.client.token(userId);
    return this.heard(this.client.sendOnce(token, 'GET', path, { query, headers }, this.connection.signal));
  }

  private async* read({ headers, body }: Response): AsyncGenerator<WatchedEvent, void, undefined> {
    // The tag contains the revision, then the key of the session.
    const creation = headers.get('ETag')?.replaceAll('"', '').split('.')[1] ?? '';
    this.over = (this.creation ?? creation) !== creation;
    if (this.over || !body) return;
    this.creation = creation;
    for await (const { id, event: type, data } of messages(body.getReader(), (piece) => this.heard(piece))) {
      if (type === 'end') {
        // The watch reconnects with a new token.
        this.over = (JSON.parse(data ?? '{}') as { reason?: string }).reason !== 'CREDENTIALS_EXPIRED';
        return;
      }
      if (id === undefined) continue;
      const seq = parseInt(id, 10); // then a dot and the time of the event
      const event = data && readEvent(JSON.parse(data) as WireEvent, this.request.sessionId);
      this.seq = seq;
      this.lastId = id;
      if (event) yield { seq, event };
    }
  }

  /** Handles an error response. Returns how long it asks to wait, in milliseconds. */
  private async refusal(response: Response): Promise<number> {
    const { status, headers } = response;
    // The session existed before: now it is deleted, or a shorter session has its id.
    this.over = this.creation !== undefined && (status === 400 || status === 404);
    this.trouble = problem(status, headers, await this.heard(response.text()) ?? '');
    if (!this.over && !TEMPORARY.includes(status)) throw this.trouble;
    return retryAfter(headers);
  }

  /**
   * Waits for data from the connection, at most `LONGEST_SILENCE`. A broken connection gives `undefined`, not an error.
   */
  private async heard<T>(something: Promise<T>): Promise<T | undefined> {
    const silence = setTimeout(() => this.connection.abort(), LONGEST_SILENCE);
    try {
      const it = await something;
      this.client.reach.answered();
      return it;
    } catch (error) {
      if (!this.stopped.signal.aborted) this.trouble = this.client.reach.failed(error);
      return undefined;
    } finally {
      clearTimeout(silence);
    }
  }
}

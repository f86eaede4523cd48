// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { setTimeout as pauseFor } from 'node:timers/promises';
import type { CompositeSessionKey, Event } from '@google/adk';
import { TEMPORARY, type Client } from './client.js';
import { problem, retryAfter } from './errors.js';
import { fromWire, sessionsPath, type WireEvent } from './values.js';

export interface WatchRequest extends CompositeSessionKey {
  /** Begins behind this event, 0 for the first; with what is appended from now on, if absent. */
  afterSeq?: number;
  /** Ends the watch, which then fails with the reason of the signal. */
  signal?: AbortSignal;
  /** For how long to try to reach the service again, in milliseconds; 60,000 if absent. */
  patience?: number;
}

/** An event of a session, and its place in the history. */
export interface WatchedEvent {
  /** 1 for the first event of the session, then 2, without a gap. */
  seq: number;
  event: Event;
}

/** A server-sent event: `id`, `event`, `data`. */
type Message = Record<string, string | undefined>;

/** In milliseconds. The service says something every 15 s; who has heard nothing for so long is no longer connected. */
const LONGEST_SILENCE = 40_000;
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** Where it is in one session, over any number of connections. */
export class Watch {
  private seq: number | undefined;
  private creation: string | undefined;
  private connection = new AbortController();
  private trouble: unknown;
  private over = false;

  constructor(private readonly client: Client, private readonly request: WatchRequest) {
    this.seq = request.afterSeq;
  }

  /** The events, until the session is gone. */
  async* events(): AsyncGenerator<WatchedEvent, void, undefined> {
    const { signal, patience = 60_000 } = this.request;
    const hangUp = () => this.connection.abort();
    signal?.addEventListener('abort', hangUp);
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
        if (this.over) return;
        if (Date.now() + wait > deadline) throw this.trouble ?? new Error('The connection ended');
        await pauseFor(wait, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    } finally {
      signal?.removeEventListener('abort', hangUp);
      hangUp();
    }
  }

  /** Asks for what follows the last event. */
  private async connect(): Promise<Response | undefined> {
    this.connection.abort();
    this.connection = new AbortController();
    const { appName, userId, sessionId } = this.request;
    const path = `${sessionsPath(appName, userId, sessionId)}/events:watch`;
    const query = new URLSearchParams(this.seq === undefined ? {} : { afterSeq: String(this.seq) });
    const headers = { Accept: 'text/event-stream' };
    const token = await this.client.token(userId);
    return this.heard(this.client.sendOnce(token, 'GET', path, { query, headers }, this.connection.signal));
  }

  private async* read({ headers, body }: Response): AsyncGenerator<WatchedEvent, void, undefined> {
    // The tag has the revision, and then when the session was created.
    const creation = headers.get('ETag')?.replaceAll('"', '').split('.')[1] ?? '';
    this.over = (this.creation ?? creation) !== creation;
    if (this.over || !body) return;
    this.creation = creation;
    for await (const { id, event: type, data } of this.messages(body)) {
      if (type === 'end') {
        // With a new token it goes on.
        this.over = (JSON.parse(data ?? '{}') as { reason?: string }).reason !== 'CREDENTIALS_EXPIRED';
        return;
      }
      if (id === undefined) continue;
      const seq = Number(id);
      const event = data && fromWire(JSON.parse(data) as WireEvent);
      this.seq = seq;
      if (event) yield { seq, event };
    }
  }

  /** The messages of a connection until it ends, without the last one if that was cut off. */
  private async* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void, undefined> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let message: Message = {};
    let line = '';
    for (;;) {
      const piece = await this.heard(reader.read());
      if (!piece || piece.done) return;
      const [first = '', ...others] = decoder.decode(piece.value, { stream: true }).split('\n');
      line += first;
      for (const next of others) {
        const [, name = '', value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        if (line !== '') message[name] = value;
        else {
          yield message;
          message = {};
        }
        line = next;
      }
    }
  }

  /** For how long an answer asks to wait that does not show the session. */
  private async refusal(response: Response): Promise<number> {
    const { status, headers } = response;
    // Once it was there: it is not, or another one that is not as long.
    this.over = this.creation !== undefined && (status === 400 || status === 404);
    this.trouble = problem(status, headers, await this.heard(response.text()) ?? '');
    if (!this.over && !TEMPORARY.includes(status)) throw this.trouble;
    return retryAfter(headers);
  }

  /** Waits for something to come over the connection, but not for ever. What breaks instead is no error yet. */
  private async heard<T>(something: Promise<T>): Promise<T | undefined> {
    const silence = setTimeout(() => this.connection.abort(), LONGEST_SILENCE);
    try {
      return await something;
    } catch (error) {
      this.trouble = error;
      return undefined;
    } finally {
      clearTimeout(silence);
    }
  }
}

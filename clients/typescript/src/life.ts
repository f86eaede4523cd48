// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { hostname } from 'node:os';
import {
  BaseSessionService, type CompositeSessionKey, type Event, type GetSessionRequest, type Session,
} from '@google/adk';
import type { Answer, Client, Request } from './client.js';
import { isMadeAlready } from './errors.js';
import { TurnLease, type AcquireRequest } from './lease.js';
import { fromWire, sessionsPath, toJson, toMillis, type WireEvent } from './values.js';
import { Watch, type WatchedEvents, type WatchRequest } from './watch.js';

/** What a session object has read, the lease under which it is appended to, and the last of the appends that wait. */
export interface Read {
  tag?: string | undefined;
  lease?: TurnLease | undefined;
  queue: Promise<unknown>;
}

export interface SessionAtRequest extends GetSessionRequest {
  /** Right after this event; 0 is the beginning. */
  atSeq: number;
}

export interface StateAtRequest extends CompositeSessionKey {
  /** Right after this event; 0 is the beginning. Now, if absent. */
  atSeq?: number;
}

export interface ForkRequest extends CompositeSessionKey {
  /** Up to this event; 0 for none. Without this and the next one, all events. */
  atSeq?: number;
  /** Up to the event before the first one of this invocation. */
  beforeInvocationId?: string;
  /** The id of the copy; a new one if absent. */
  newSessionId?: string;
  /** Its name, for people; that of the session if absent. */
  displayName?: string;
}

export interface RewindRequest {
  session: Session;
  beforeInvocationId: string;
}

/** The event that gave a key its value. */
export interface StateSource {
  seq: number;
  eventId: string;
  author: string;
  /** In milliseconds. */
  timestamp: number;
}

/** A key of the state. */
export interface ExplainedValue {
  /** Whose it is. */
  scope: 'session' | 'user' | 'app';
  value: unknown;
  /** Null if it was there when the session was created, or somebody else has set it. */
  event: StateSource | null;
}

/** The state of a session at one moment. */
export interface ExplainedState {
  /** Right after this event, 0 for the beginning. */
  seq: number;
  /** When that event was stored, in milliseconds. */
  lastUpdateTime: number;
  /**
   * Whether `user:` and `app:` keys have their values of today, whoever set them; if not, they are those that this
   * session had set by then.
   */
  sharedStateCurrent: boolean;
  /** The keys, shared ones under their prefix. */
  keys: Record<string, ExplainedValue>;
}

/** A function call that waits for somebody's answer. */
export interface PendingCall {
  /** The event that the call is in. */
  eventId: string;
  /** The place of that event in the history, 1 for the first one. */
  seq: number;
  /** When it was stored, in milliseconds. */
  since: number;
  /** The response needs its `id`. Arguments of more than 4,096 characters are absent here, and stand in the event. */
  functionCall: { id: string; name: string; args?: Record<string, unknown> };
}

interface PendingPage {
  pending: PendingCall[];
  nextPageToken?: string;
}

/**
 * What `AgentSessionService` can do beyond ADK's services: the past of a session, what happens in it and what it waits
 * for, and turns.
 */
export abstract class LifeMethods extends BaseSessionService {
  /** The leases that are held by this service object, by the path of their session. */
  protected readonly leases = new Map<string, TurnLease>();

  /**
   * Reads a session as it was right after an event; `undefined` if there is none. An append to it fails with
   * `StaleSessionError`, unless that is the newest event.
   */
  sessionAt({ atSeq, ...request }: SessionAtRequest): Promise<Session | undefined> {
    return this.read(request, { atSeq: String(atSeq) });
  }

  /** Explains the state that a session has, or had right after an event: which event has set which key. */
  async stateAt({ appName, userId, sessionId, atSeq }: StateAtRequest): Promise<ExplainedState> {
    const query = new URLSearchParams(atSeq === undefined ? {} : { atSeq: String(atSeq) });
    const path = `${sessionsPath(appName, userId, sessionId)}/state`;
    const { body } = await this.client.send(userId, 'GET', path, { query });
    const answer = JSON.parse(body) as ExplainedState & { state: ExplainedState['keys'] };
    const { seq, lastUpdateTime, sharedStateCurrent, state: keys } = answer;
    for (const { event } of Object.values(keys)) {
      if (event) event.timestamp = toMillis(event.timestamp);
    }
    return { seq, lastUpdateTime: toMillis(lastUpdateTime), sharedStateCurrent, keys };
  }

  /** Creates a session as a copy of the first part of another one of the user, which stays as it is. */
  async fork({ appName, userId, sessionId, newSessionId, ...wishes }: ForkRequest): Promise<Session> {
    // An id of our own, so that the request can be sent again if its answer gets lost.
    const id = newSessionId?.trim() ? newSessionId : crypto.randomUUID();
    const path = `${sessionsPath(appName, userId, sessionId)}:fork`;
    const { atSeq, beforeInvocationId, displayName } = wishes;
    const body = toJson({ sessionId: id, atSeq, beforeInvocationId, displayName });
    const query = new URLSearchParams({ numRecentEvents: '0' });
    try {
      await this.client.send(userId, 'POST', path, { query, body });
    } catch (error) {
      if (!isMadeAlready(error) || id === newSessionId) throw error;
    }
    const forked = await this.read({ appName, userId, sessionId: id });
    if (!forked) throw new Error(`Deleted as soon as it was forked: ${id}`);
    return forked;
  }

  /**
   * Takes a session back to before an invocation: appends ADK's rewind event, to the object, too. ADK TypeScript does
   * not know such events: a service with `view: 'context'` keeps from its agents what was taken back. Fails with
   * `StaleSessionError` if the session has changed since the object was read.
   *
   * @returns the event
   */
  rewind({ session, beforeInvocationId }: RewindRequest): Promise<Event> {
    const body = toJson({ beforeInvocationId, eventId: crypto.randomUUID() });
    return this.inTurn(session, async (read) => {
      const answer = await this.append(session, read, ':rewind', body);
      const { event } = JSON.parse(answer.body) as { event: WireEvent };
      return this.appended(session, fromWire(event), read, answer);
    });
  }

  /**
   * Follows a session: its events as they are appended, by whoever appends them. Goes on by itself when the connection
   * breaks or the service restarts, without missing or repeating an event, and ends when the session is deleted or
   * expires. `return()` ends it and its connection, also while `next()` waits.
   */
  watch(request: WatchRequest): WatchedEvents {
    return new Watch(this.client, request);
  }

  /**
   * Lists the function calls of a session that wait for somebody's answer, the oldest first. A call that an event names
   * in its `longRunningToolIds` waits until an event of the author `user` has a function response with its id, or a
   * rewind takes the call back.
   */
  async pendingCalls({ appName, userId, sessionId }: CompositeSessionKey): Promise<PendingCall[]> {
    const path = `${sessionsPath(appName, userId, sessionId)}/pending`;
    const query = new URLSearchParams();
    const calls: PendingCall[] = [];
    for (;;) {
      const { body } = await this.client.send(userId, 'GET', path, { query });
      const { pending, nextPageToken } = JSON.parse(body) as PendingPage;
      for (const { eventId, seq, since, functionCall } of pending) {
        calls.push({ eventId, seq, since: toMillis(since), functionCall });
      }
      if (nextPageToken === undefined) return calls;
      query.set('pageToken', nextPageToken);
    }
  }

  /**
   * Takes the lease of a session, if the session is as it was read: `SessionBusyError` if it is somebody else's turn,
   * `StaleSessionError` if the session has changed. Until it is released, it is renewed, and the object, and whatever
   * else this service reads of the session, as a runner does, is appended to under it.
   */
  acquire({ session, ttl = 60_000, exclusive = false, holder }: AcquireRequest): Promise<TurnLease> {
    const { appName, userId, id } = session;
    const path = sessionsPath(appName, userId, id);
    const name = `${holder ?? `${hostname()}:${process.pid}`}:${crypto.randomUUID()}`;
    const send = (verb: string, body: object, request: Request): Promise<Answer> =>
      this.client.send(userId, 'POST', path + verb, { ...request, body: toJson(body) });
    return this.inTurn(session, async (read) => {
      const wish = { holder: name, ttl: `${ttl / 1000}s`, exclusive };
      const answer = await send(':acquire', wish, this.precondition(session, read));
      const { lease: number } = JSON.parse(answer.body) as { lease: number };
      const lease = new TurnLease(number, name, ttl, send, () => {
        if (this.leases.get(path) === lease) this.leases.delete(path);
      });
      read.lease = lease;
      this.leases.set(path, lease);
      return lease;
    });
  }

  protected abstract readonly client: Client;

  /** Reads a session, with further parameters of the request. */
  protected abstract read(request: GetSessionRequest, more?: Record<string, string>): Promise<Session | undefined>;

  /** Does something after what else is being done with a session object. */
  protected abstract inTurn<T>(session: Session, action: (read: Read) => Promise<T>): Promise<T>;

  /** What of a request says what a session object has read. */
  protected abstract precondition(session: Session, read: Read): Request;

  /** Sends something to be appended behind what a session object has read, and under its lease. */
  protected abstract append(session: Session, read: Read, action: string, body: string): Promise<Answer>;

  /** Does to a session object what was done to the stored session. */
  protected abstract appended(session: Session, event: Event, read: Read, answer: Answer): Promise<Event>;
}

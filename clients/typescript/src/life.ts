// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { hostname } from 'node:os';
import {
  BaseSessionService, type CompositeSessionKey, type Event, type GetSessionRequest, type Session,
} from '@google/adk';
import { retryKey, type Answer, type Client, type Request } from './client.js';
import { TurnLease, type AcquireRequest } from './lease.js';
import { readEvent } from './reading.js';
import { sessionsPath, toJson, toMillis, type WireEvent } from './values.js';
import { Watch, type WatchedEvents, type WatchRequest } from './watch.js';

/** The entity tag that a session object has read, the lease of its appends, and the last of its queued appends. */
export interface Read {
  tag?: string | undefined;
  lease?: TurnLease | undefined;
  queue: Promise<unknown>;
}

export interface SessionAtRequest extends GetSessionRequest {
  /** The seq of the event right after which the session is read, 0 for the beginning. */
  atSeq: number;
}

export interface StateAtRequest extends CompositeSessionKey {
  /** The seq of the event right after which the state is read, 0 for the beginning. The current state if absent. */
  atSeq?: number;
}

export interface ForkRequest extends CompositeSessionKey {
  /**
   * The seq of the last event of the copy, 0 for none. Without this and `beforeInvocationId`, the fork copies all
   * events.
   */
  atSeq?: number;
  /** The invocation before which the copy ends. */
  beforeInvocationId?: string;
  /** The id of the copy; a generated id if absent. */
  newSessionId?: string;
  /** The display name of the copy; that of the session if absent. */
  displayName?: string;
}

export interface RewindRequest {
  session: Session;
  beforeInvocationId: string;
}

/** The event that set a key. */
export interface StateSource {
  seq: number;
  eventId: string;
  author: string;
  /** The time that the sender gave the event, in milliseconds. */
  timestamp: number;
}

/** A key of the state. */
export interface ExplainedValue {
  /** The scope of the key. */
  scope: 'session' | 'user' | 'app';
  value: unknown;
  /**
   * The event of this session that set the key. Null if the key existed when the session was created, or if another
   * writer has set it.
   */
  event: StateSource | null;
}

/** The state of a session at one moment. */
export interface ExplainedState {
  /** The seq of the event right after which the session has this state, 0 for the beginning. */
  seq: number;
  /** The time at which the service stored that event, in milliseconds. */
  lastUpdateTime: number;
  /**
   * Whether `user:` and `app:` keys have their current values, from any writer. If false, they have the values that
   * this session had set by then.
   */
  sharedStateCurrent: boolean;
  /** The keys with their values; shared keys include their prefix. */
  keys: Record<string, ExplainedValue>;
}

/** A function call that waits for a function response. */
export interface PendingCall {
  /** The id of the event that contains the call. */
  eventId: string;
  /** The seq of that event, 1 for the first event of the session. */
  seq: number;
  /** The time at which the service stored that event, in milliseconds. */
  since: number;
  /**
   * The call; the response needs its `id`. Arguments of more than 4,096 characters are absent; read them from the
   * event.
   */
  functionCall: { id: string; name: string; args?: Record<string, unknown> };
}

interface PendingPage {
  pending: PendingCall[];
  nextPageToken?: string;
}

/**
 * Features of `AgentSessionService` beyond ADK's services: earlier states, forks, rewinds, watches, pending calls and
 * leases.
 */
export abstract class LifeMethods extends BaseSessionService {
  /** The leases that this service object holds, by the path of their session. */
  protected readonly leases = new Map<string, TurnLease>();

  /**
   * Reads a session as it was right after an event; `undefined` if the session does not exist. An append to it fails
   * with `StaleSessionError`, unless that event is the newest.
   */
  sessionAt({ atSeq, ...request }: SessionAtRequest): Promise<Session | undefined> {
    return this.read(request, { atSeq: String(atSeq) });
  }

  /** Returns the current or an earlier state of a session, and which event set each key. */
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

  /** Creates a session as a copy of the first part of another session of the user. The original does not change. */
  async fork({ appName, userId, sessionId, newSessionId, ...wishes }: ForkRequest): Promise<Session> {
    const path = `${sessionsPath(appName, userId, sessionId)}:fork`;
    const { atSeq, beforeInvocationId, displayName } = wishes;
    const body = toJson({ sessionId: newSessionId, atSeq, beforeInvocationId, displayName });
    const query = new URLSearchParams({ numRecentEvents: '0' });
    const answer = await this.client.send(userId, 'POST', path, { query, body, headers: retryKey() });
    const { id } = JSON.parse(answer.body) as { id: string };
    const forked = await this.read({ appName, userId, sessionId: id });
    if (!forked) throw new Error(`Deleted as soon as it was forked: ${id}`);
    return forked;
  }

  /**
   * Returns a session to the point before an invocation. Appends ADK's rewind event to the stored session and to the
   * object. ADK TypeScript does not know rewind events: use a service with `view: 'context'` to hide the rewound events
   * from its agents. Fails with `StaleSessionError` if the session has changed since the object was read.
   *
   * @returns the event
   */
  rewind({ session, beforeInvocationId }: RewindRequest): Promise<Event> {
    const body = toJson({ beforeInvocationId, eventId: crypto.randomUUID() });
    return this.inTurn(session, async (read) => {
      const answer = await this.append(session, read, ':rewind', body);
      const { event } = JSON.parse(answer.body) as { event: WireEvent };
      return this.appended(session, readEvent(event, session.id), read, answer);
    });
  }

  /**
   * Returns the events of a session as writers append them. The watch reconnects when the connection breaks or the
   * service restarts, and neither misses nor repeats an event. It ends when the session is deleted or expires.
   * `return()` ends the watch and its connection, also during a pending `next()`.
   */
  watch(request: WatchRequest): WatchedEvents {
    return new Watch(this.client, request);
  }

  /**
   * Lists the function calls of a session that wait for a function response, the oldest first. A call waits if its
   * event names it in `longRunningToolIds`. It stops waiting when an event of the author `user` has a function response
   * with its id, or when a rewind removes the call.
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
   * Takes the lease of a session if the session has not changed since it was read. Fails with `SessionBusyError` if
   * another holder has the lease, and with `StaleSessionError` if the session has changed. The client renews the lease
   * until it is released. Until then, appends to this object are under the lease. So are appends to other objects of
   * the session that this service reads, for example in a runner.
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

  /** Reads a session, with additional query parameters. */
  protected abstract read(request: GetSessionRequest, more?: Record<string, string>): Promise<Session | undefined>;

  /** Runs an action after all earlier actions on the same session object. */
  protected abstract inTurn<T>(session: Session, action: (read: Read) => Promise<T>): Promise<T>;

  /** Returns the precondition of a request: the revision that a session object has read. */
  protected abstract precondition(session: Session, read: Read): Request;

  /** Appends to the revision that a session object has read, under its lease. */
  protected abstract append(session: Session, read: Read, action: string, body: string): Promise<Answer>;

  /** Applies a stored append to the session object. */
  protected abstract appended(session: Session, event: Event, read: Read, answer: Answer): Promise<Event>;
}

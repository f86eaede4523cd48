// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import * as adk from '@google/adk';
import type {
  AppendEventRequest, CreateSessionRequest, DeleteSessionRequest, Event, GetSessionRequest, ListSessionsRequest,
  ListSessionsResponse, Session,
} from '@google/adk';
import { Client, retryKey, type AgentSessionsOptions, type Answer, type Request } from './client.js';
import { isCode } from './errors.js';
import { LifeMethods, type Read } from './life.js';
import { readEvent } from './reading.js';
import { name, sessionsPath, toJson, toMillis, toSeconds, withoutTemp, type WireEvent } from './values.js';

export { AgentSessionArtifactService } from './artifacts.js';
export type { AgentSessionsOptions } from './client.js';
export { AgentSessionsError, LeaseLostError, SessionBusyError, StaleSessionError } from './errors.js';
export type { AcquireRequest, TurnLease } from './lease.js';
export type {
  ExplainedState, ExplainedValue, ForkRequest, PendingCall, RewindRequest, SessionAtRequest, StateAtRequest,
  StateSource,
} from './life.js';
export {
  AgentSessionMemoryService, type AddEventsToMemoryRequest, type AddMemoryRequest, type AgentSessionMemory,
  type AgentSessionMemoryOptions, type DeleteMemoryRequest, type MemorySearchRequest,
} from './memory.js';
export type { WatchedEvent, WatchedEvents, WatchRequest } from './watch.js';

/** The value in a state delta that removes its key. `null` is a value like any other. */
export const REMOVED = '__ADK_SENTINEL_REMOVED__';

interface WireSession extends Omit<Session, 'events'> {
  events: WireEvent[];
  etag: string;
}

/** Stores sessions in Agent Sessions. Uses the HTTP API of service versions 0.1 and later. */
export class AgentSessionService extends LifeMethods {
  protected readonly client: Client;
  private readonly checkStale: boolean;
  private readonly view: Record<string, string>;
  private readonly reads = new WeakMap<Session, Read>();

  constructor(options: AgentSessionsOptions = {}) {
    super();
    this.client = new Client(options);
    this.checkStale = options.checkStale ?? true;
    this.view = options.view === 'context' ? { view: 'context' } : {};
  }

  /** Creates a session. The state follows the rules of a state delta, including those for `REMOVED` and `temp:`. */
  async createSession({ appName, userId, state = {}, sessionId }: CreateSessionRequest): Promise<Session> {
    const body = toJson({ sessionId, state: withoutTemp(state) });
    const request = { query: withRevision(), body, headers: retryKey() };
    return this.session(await this.client.send(userId, 'POST', sessionsPath(appName, userId), request));
  }

  async getSession(request: GetSessionRequest): Promise<Session | undefined> {
    return this.read(request);
  }

  protected async read(request: GetSessionRequest, more: Record<string, string> = {}): Promise<Session | undefined> {
    const { appName, userId, sessionId, config } = request;
    const query = withRevision({ ...this.view, ...more });
    if (config?.numRecentEvents) query.set('numRecentEvents', String(config.numRecentEvents));
    if (config?.afterTimestamp) query.set('afterTimestamp', toSeconds(config.afterTimestamp));
    try {
      const path = sessionsPath(appName, userId, sessionId);
      return this.session(await this.client.send(userId, 'GET', path, { query }));
    } catch (error) {
      if (isCode(error, 'SESSION_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  /**
   * Lists sessions with their state. Without a user, lists the sessions of the app, which requires an administrator.
   */
  async listSessions(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { appName, userId, order } = request;
    const path = userId === undefined ? `/apps/${name(appName)}/sessions` : sessionsPath(appName, userId);
    const query = withRevision({ includeEval: 'true', ...(order && { order }) });
    const all: Session[] = [];
    for (let token: string | null = ''; token !== null;) {
      const { body, headers }: Answer = await this.client.send(userId, 'GET', path, { query });
      for (const item of JSON.parse(body) as WireSession[]) all.push(this.asRead(item));
      token = headers.get('X-Next-Page-Token');
      query.set('pageToken', token ?? '');
    }
    const limit = request.limit ?? all.length;
    const offset = request.limit !== undefined && request.page !== undefined
      ? (request.page - 1) * limit : request.offset ?? 0;
    return {
      sessions: all.slice(offset, offset + limit),
      page: request.limit ? Math.floor(offset / limit) + 1 : 1,
      limit,
      totalItems: all.length,
      totalPages: limit === 0 ? 0 : Math.ceil(all.length / limit),
    };
  }

  /** Deletes a session. Succeeds if the session does not exist. */
  async deleteSession({ appName, userId, sessionId }: DeleteSessionRequest): Promise<void> {
    await this.client.send(userId, 'DELETE', sessionsPath(appName, userId, sessionId));
  }

  /**
   * Appends an event, and applies the same change to the session object. Fails with `StaleSessionError` if the stored
   * session has other events than the object: read the session again and append again. Appends to one object run one
   * after the other.
   */
  override async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    if (event.partial) return event;
    return this.inTurn(session, async (read) => {
      event.id ||= crypto.randomUUID();
      event.timestamp ||= Date.now();
      const actions = { ...event.actions, stateDelta: withoutTemp(event.actions?.stateDelta ?? {}) };
      const body = toJson({ ...event, actions, timestamp: event.timestamp / 1000 });
      return this.appended(session, event, read, await this.append(session, read, '/events', body));
    });
  }

  protected inTurn<T>(session: Session, action: (read: Read) => Promise<T>): Promise<T> {
    const read = this.reads.get(session) ?? { queue: Promise.resolve() };
    this.reads.set(session, read);
    const turn = read.queue.then(() => action(read));
    read.queue = turn.catch(() => undefined);
    return turn;
  }

  protected append(session: Session, read: Read, action: string, body: string): Promise<Answer> {
    const { headers, ...request } = this.precondition(session, read);
    const { appName, userId, id } = session;
    const path = sessionsPath(appName, userId, id) + action;
    return this.client.send(userId, 'POST', path, { ...request, body, headers: { ...headers, ...read.lease?.headers } });
  }

  protected async appended(session: Session, event: Event, read: Read, answer: Answer): Promise<Event> {
    const delta = { ...event.actions?.stateDelta };
    await super.appendEvent({ session, event });
    for (const [key, value] of Object.entries(delta)) {
      if (value === REMOVED) delete session.state[key];
      else if (key.startsWith(adk.State.TEMP_PREFIX)) session.state[key] = value;
    }
    session.lastUpdateTime = toMillis((JSON.parse(answer.body) as Session).lastUpdateTime);
    read.tag = answer.headers.get('ETag') ?? undefined;
    return event;
  }

  protected precondition({ lastUpdateTime }: Session, { tag }: Read): Request {
    if (!this.checkStale) return {};
    if (tag) return { headers: { 'If-Match': tag } };
    // Not an object that this service object has read: a copy, or an object of another service object.
    return lastUpdateTime ? { query: new URLSearchParams({ lastUpdateTime: toSeconds(lastUpdateTime) }) } : {};
  }

  private session({ body }: Answer): Session {
    return this.asRead(JSON.parse(body) as WireSession);
  }

  private asRead({ id, appName, userId, state, events, lastUpdateTime, etag }: WireSession): Session {
    const millis = toMillis(lastUpdateTime);
    const read = events.map((event) => readEvent(event, id));
    const session = { id, appName, userId, state, events: read, lastUpdateTime: millis };
    const lease = this.leases.get(sessionsPath(appName, userId, id));
    this.reads.set(session, { tag: etag, lease, queue: Promise.resolve() });
    return session;
  }
}

/** Returns a query that requests the entity tag of each session. */
function withRevision(more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({ includeRevision: 'true', ...more });
}

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { problem, retryAfter } from './errors.js';
import { NoAnswerError, Reach } from './reach.js';

/** Options of the connection to the service. */
export interface AgentSessionsOptions {
  /** The address of the service; `AGENT_SESSIONS_URL` if absent, or else `http://localhost:8080`. */
  url?: string;
  /** An API key of the service; `AGENT_SESSIONS_API_KEY` if absent. */
  apiKey?: string;
  /**
   * Instead of a key: returns the token of a user, before each request. The user is `undefined` when an app's sessions
   * are listed.
   */
  token?: (userId: string | undefined) => string | Promise<string>;
  /** The time-out of one attempt, in milliseconds; 30,000 if absent. */
  timeout?: number;
  /** The maximum number of retries after a lost response, 429, 502, 503 or 504; 5 if absent. */
  retries?: number;
  /** How long the client retries a request while it cannot connect, in milliseconds; 30,000 if absent. */
  unavailableTimeoutMillis?: number;
  /** `false` appends events even if the session has changed since it was read. */
  checkStale?: boolean;
  /**
   * `'context'` reads only the events of a session that a model may see. It omits rewound events and events that a
   * summary of ADK Python or Java replaces; ADK TypeScript does not know such summaries. `'full'` reads all events.
   */
  view?: 'full' | 'context';
}

export interface Answer {
  status: number;
  body: string;
  headers: Headers;
}

export interface Request {
  query?: URLSearchParams;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

export const TEMPORARY = [429, 502, 503, 504];
const LONGEST_PAUSE = 10_000;
const LONGEST_UNCONNECTED = 3_000;

/** Returns the header by which the service knows a retry of one creation or one save. */
export const retryKey = () => ({ 'Idempotency-Key': crypto.randomUUID() });

export class Client {
  readonly reach: Reach;
  /** Returns the token of a user. */
  readonly token: (userId: string | undefined) => string | undefined | Promise<string>;
  private readonly timeout: number;
  private readonly retries: number;

  constructor(options: AgentSessionsOptions) {
    const { AGENT_SESSIONS_URL, AGENT_SESSIONS_API_KEY } = process.env;
    const url = options.url ?? AGENT_SESSIONS_URL ?? 'http://localhost:8080';
    this.reach = new Reach(url, options.unavailableTimeoutMillis ?? 30_000);
    this.token = options.token ?? (() => options.apiKey ?? AGENT_SESSIONS_API_KEY);
    this.timeout = options.timeout ?? 30_000;
    this.retries = options.retries ?? 5;
  }

  /**
   * Sends a request, and retries it until there is a response. Each request of this package is safe to send twice:
   * events have ids, and creations and saves have a key.
   */
  async send(userId: string | undefined, method: string, path: string, request: Request = {}): Promise<Answer> {
    let sent = 0;
    let deadline: number | undefined; // for connecting
    for (let attempt = 0; ; attempt++) {
      const token = await this.token(userId);
      let pause = Math.min(100 * 2 ** attempt * (1 + Math.random()), LONGEST_PAUSE);
      const answer = await this.answer(token, method, path, request);
      if (answer instanceof NoAnswerError && !answer.sent) {
        deadline ??= Date.now() + this.reach.unavailableTimeout;
        pause = Math.min(pause, LONGEST_UNCONNECTED, deadline - Date.now());
        if (pause <= 0) throw answer;
      } else {
        deadline = undefined;
        const last = sent++ === this.retries;
        if (answer instanceof NoAnswerError) {
          if (last) throw answer;
        } else {
          const { status, body, headers } = answer;
          if (status < 300) return answer;
          if (last || !TEMPORARY.includes(status)) throw problem(status, headers, body);
          pause = Math.min(retryAfter(headers) || pause, LONGEST_PAUSE);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private async answer(
    token: string | undefined, method: string, path: string, request: Request,
  ): Promise<Answer | NoAnswerError> {
    try {
      const response = await this.sendOnce(token, method, path, request, AbortSignal.timeout(this.timeout));
      const { status, headers } = response;
      const body = await response.text();
      this.reach.answered();
      return { status, body, headers };
    } catch (error) {
      return this.reach.failed(error);
    }
  }

  /** Sends a request, and returns the response with an unread body. */
  sendOnce(
    token: string | undefined, method: string, path: string, request: Request, signal: AbortSignal,
  ): Promise<Response> {
    return fetch(`${this.reach.address}${path}?${request.query ?? ''}`, {
      method,
      body: request.body ?? null,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(request.body && { 'Content-Type': 'application/json' }),
        ...request.headers,
      },
      signal,
    });
  }
}

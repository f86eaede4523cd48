// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { problem, retryAfter } from './errors.js';
import { NoAnswerError, Reach } from './reach.js';

/** Where the service is and how to speak with it. */
export interface AgentSessionsOptions {
  /** Address of the service; else `AGENT_SESSIONS_URL`, else `http://localhost:8080`. */
  url?: string;
  /** A key of the service; else `AGENT_SESSIONS_API_KEY`. */
  apiKey?: string;
  /** Instead of a key: gives the token of a user, asked before each request; no user to list those of an app. */
  token?: (userId: string | undefined) => string | Promise<string>;
  /** For one attempt, in milliseconds; 30,000 if absent. */
  timeout?: number;
  /** How often a request is sent again after a lost answer, 429, 502, 503 or 504; 5 if absent. */
  retries?: number;
  /** For how long a request is sent again while no connection can be made, in milliseconds; 30,000 if absent. */
  unavailableTimeoutMillis?: number;
  /** `false` appends behind whatever came before, also if the session has changed since it was read. */
  checkStale?: boolean;
  /**
   * `'context'` reads of a session only the events that a model may see: neither what was rewound, nor what a summary
   * by ADK Python or Java stands for, which ADK TypeScript does not know. `'full'` reads all.
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
  body?: string;
  headers?: Record<string, string>;
}

export const TEMPORARY = [429, 502, 503, 504];
const LONGEST_PAUSE = 10_000;
const LONGEST_UNCONNECTED = 3_000;

export class Client {
  readonly reach: Reach;
  /** The token of a user. */
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

  /** Sends a request until it is answered. All of ours may arrive twice: events and sessions have ids. */
  async send(userId: string | undefined, method: string, path: string, request: Request = {}): Promise<Answer> {
    let sent = 0;
    let deadline: number | undefined; // for making a connection
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
          if (last || !TEMPORARY.includes(status)) throw problem(status, headers, body, sent > 1);
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

  /** Sends a request, and leaves the answer to be read. */
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

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { setTimeout as pauseFor } from 'node:timers/promises';

const BUSY = [429, 502, 503, 504];
const LONGEST_PAUSE = 5_000;

/** The address of the service, and the credentials. */
export interface ConnectionOptions {
  /** The address of the service; `AGENT_SESSIONS_URL` if absent, or else `http://localhost:8080`. */
  url?: string;
  /** An API key or a token, or a function that returns one for the next request; `AGENT_SESSIONS_API_KEY` if absent. */
  apiKey?: string | (() => string | Promise<string>);
  /** How long to wait for one response, in milliseconds; 40,000 if absent. */
  timeout?: number;
  /**
   * How long a request is sent again after a failure to connect, a lost response, or 429, 502, 503 and 504, in
   * milliseconds; 30,000 if absent.
   */
  retryFor?: number;
  /** Sends one request; the `fetch` of Node.js if absent. */
  fetch?: typeof fetch;
}

/** What to send beside the method and the path. */
export interface Request {
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/** A successful response. */
export interface Answer {
  headers: Headers;
  body: any;
}

/** The service refused a request, or it could not be reached. */
export class AgentSessionsError extends Error {
  override name = 'AgentSessionsError';

  /**
   * @param status the status of the response, `undefined` without a response
   * @param code the stable code of the problem, such as `FORBIDDEN`, `undefined` without one
   */
  constructor(message: string, readonly status?: number, readonly code?: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** Sends requests to Agent Sessions, and retries them when a response is lost or the service is busy. */
export class Connection {
  private readonly url: string;
  private readonly apiKey: ConnectionOptions['apiKey'];
  private readonly timeout: number;
  private readonly retryFor: number;
  private readonly fetch: typeof fetch;

  constructor(options: ConnectionOptions = {}) {
    const { AGENT_SESSIONS_URL, AGENT_SESSIONS_API_KEY } = process.env;
    this.url = new URL(options.url ?? AGENT_SESSIONS_URL ?? 'http://localhost:8080').href.replace(/\/+$/, '');
    this.apiKey = options.apiKey ?? AGENT_SESSIONS_API_KEY;
    this.timeout = options.timeout ?? 40_000;
    this.retryFor = options.retryFor ?? 30_000;
    this.fetch = options.fetch ?? fetch;
  }

  /** Sends a request, with retries. It may arrive twice, so events need ids. */
  async send(method: string, names: string[], action = '', request: Request = {}): Promise<Answer> {
    const path = pathOf(names) + action;
    const until = Date.now() + this.retryFor;
    for (let pause = 100; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const answer = await this.answer(method, path, request);
      if (!(answer instanceof Refusal)) return answer;
      const wait = Math.max(pause * (0.5 + Math.random() / 2), answer.wait);
      if (!answer.temporary || Date.now() + wait > until) throw answer.error;
      await pauseFor(wait);
    }
  }

  private async answer(method: string, path: string, { body, query, headers }: Request): Promise<Answer | Refusal> {
    const token = typeof this.apiKey === 'function' ? await this.apiKey() : this.apiKey;
    try {
      const response = await this.fetch(`${this.url}${path}?${new URLSearchParams(query).toString()}`, {
        method,
        headers: {
          ...headers,
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(this.timeout),
      });
      const text = await response.text();
      if (response.ok) return { headers: response.headers, body: text && JSON.parse(text) };
      const wait = Number(response.headers.get('Retry-After')) * 1000 || 0;
      return new Refusal(errorOf(response, text), BUSY.includes(response.status), wait);
    } catch (error) {
      // Other errors are of the caller: a key that no header can have, or an item that is not JSON
      const { name, cause } = error as Error;
      if (name !== 'TimeoutError' && !(cause instanceof Error)) throw error;
      const reason = cause instanceof Error ? cause.message : name;
      const message = `No answer from ${this.url}: ${reason}`;
      return new Refusal(new AgentSessionsError(message, undefined, undefined, error), true, 0);
    }
  }
}

class Refusal {
  constructor(readonly error: AgentSessionsError, readonly temporary: boolean, readonly wait: number) {}
}

/**
 * Returns the id of a session from names of a framework, joined by `:`.
 *
 * Ids of sessions have none of `/ \ ; %`. These, `:`, `~` and control characters become `~` and two hexadecimal digits
 * for each byte of UTF-8, so that different names have different ids. A name of dots only is escaped, too.
 */
export function sessionName(...parts: string[]): string {
  return parts.map(escaped).join(':');
}

/** Returns the names from which `sessionName` has made the id. */
export function namesIn(sessionId: string): string[] {
  return sessionId.split(':').map((part) => {
    const [first = '', ...others] = part.split('~');
    const bytes = others.flatMap((other) => [Buffer.from(other.slice(0, 2), 'hex'), Buffer.from(other.slice(2))]);
    return Buffer.concat([Buffer.from(first), ...bytes]).toString();
  });
}

/** Whether an error of the service has one of these codes. */
export function isCode(error: unknown, ...codes: string[]): error is AgentSessionsError {
  return error instanceof AgentSessionsError && codes.includes(error.code ?? '');
}

function escaped(name: string): string {
  if (/\p{Cs}/u.test(name)) throw new AgentSessionsError('A name cannot have half a character');
  const special = /^\.*$/.test(name) ? /./gu : /[/\\;%:~]|(?! )[\p{C}\p{Z}]/gu;
  return name.replace(special, (char) => [...Buffer.from(char)].map((byte) => `~${hex(byte)}`).join(''));
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function pathOf(names: string[]): string {
  if (names.some((name) => ['', '.', '..'].includes(name.trim()))) {
    throw new AgentSessionsError(`A name or an id cannot be empty, '.' or '..': ${names.join(', ')}`);
  }
  return `/${names.map(encodeURIComponent).join('/')}`;
}

function errorOf({ status, statusText }: Response, body: string): AgentSessionsError {
  try {
    const { detail, code } = JSON.parse(body) as { detail: string; code: string };
    if (code) return new AgentSessionsError(detail, status, code);
  } catch {
    // A response of a proxy in front of the service
  }
  return new AgentSessionsError(`${status} ${statusText}`, status);
}

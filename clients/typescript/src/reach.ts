// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { AgentSessionsError } from './errors.js';

/** A request without a response. `sent` is true if the request may have reached the service. */
export class NoAnswerError extends AgentSessionsError {
  constructor(detail: string, readonly sent: boolean, cause: unknown) {
    super(0, 'UNAVAILABLE', detail);
    this.cause = cause;
  }
}

const UNCONNECTED = [
  'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT',
];
const LOST = [
  'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT', 'TimeoutError', 'AbortError',
];

/** The address of the service, and whether the client can connect to it. */
export class Reach {
  /** The address of the service, without credentials, query, fragment or a trailing slash. */
  readonly address: string;
  private away: boolean | undefined; // undefined before the first request

  /** @param unavailableTimeout how long the client retries a request while it cannot connect, in milliseconds */
  constructor(url: string, readonly unavailableTimeout: number) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol)) {
      const detail = `The address of the service has to begin with http:// or https://: '${url}'`;
      throw new AgentSessionsError(0, 'INVALID_ARGUMENT', detail);
    }
    this.address = (parsed.origin + parsed.pathname).replace(/\/+$/, '');
  }

  /** Records a response: the client logs the next failure to connect again. */
  answered(): void {
    this.away = false;
  }

  /**
   * Returns the error of a request without a response. Throws it if waiting cannot fix it: an unknown host, another
   * protocol, an untrusted certificate. Logs the first failure: a failure to connect, or a lost response before any
   * other response.
   */
  failed(error: unknown): NoAnswerError {
    const { code, text, connecting } = reasonOf(error);
    const place = `Agent Sessions at ${this.address}`;
    const unconnected = UNCONNECTED.includes(code) || (connecting && code === 'ETIMEDOUT');
    if (!unconnected && !LOST.includes(code)) throw new NoAnswerError(`${place} cannot be reached: ${text}`, false, error);
    const what = unconnected ? `${place} could not be reached` : `No answer from ${place}`;
    if (unconnected ? !this.away : this.away === undefined) {
      console.warn(`${what}; the request is sent again: ${text}`);
      this.away = true;
    }
    const wait = unconnected ? ` for ${this.unavailableTimeout / 1000} s` : '';
    return new NoAnswerError(`${what}${wait}: ${text}`, !unconnected, error);
  }
}

/** Returns the code and text of a `fetch` failure, which may be in a cause, and whether the failure was a connect. */
function reasonOf(error: unknown): { code: string; text: string; connecting: boolean } {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return reasonOf(cause);
  const { name, message, code, syscall } = error as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : name, text: message.trim() || String(code), connecting: syscall === 'connect' };
}

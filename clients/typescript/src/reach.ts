// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { AgentSessionsError } from './errors.js';

/** A request has no answer. `sent` is whether it may have arrived. */
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

/** Where the service is, and what is known of the way to it. */
export class Reach {
  /** Where the service is, without what may be secret in it, and without a slash at its end. */
  readonly address: string;
  private away: boolean | undefined; // not known before the first request

  /** @param unavailableTimeout for how long a request is sent again while no connection can be made, in milliseconds */
  constructor(url: string, readonly unavailableTimeout: number) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol)) {
      const detail = `The address of the service has to begin with http:// or https://: '${url}'`;
      throw new AgentSessionsError(0, 'INVALID_ARGUMENT', detail);
    }
    this.address = (parsed.origin + parsed.pathname).replace(/\/+$/, '');
  }

  /** The service has answered: the next failure is a new one. */
  answered(): void {
    this.away = false;
  }

  /**
   * The error with which a request fails that is not sent again; throws it where waiting cannot heal: no such host,
   * another protocol, a certificate that is not trusted. The first failure is logged: a connection that cannot be made,
   * or an answer that is lost where there has not been one before.
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

/** What `fetch` says of a failure: a code, which may stand in a cause, and whether it was about making a connection. */
function reasonOf(error: unknown): { code: string; text: string; connecting: boolean } {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return reasonOf(cause);
  const { name, message, code, syscall } = error as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : name, text: message.trim() || String(code), connecting: syscall === 'connect' };
}

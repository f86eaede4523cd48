// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import * as adk from '@google/adk';

/** An error response of the service, or a missing response; rely on `code`. */
export class AgentSessionsError extends Error {
  override name = 'AgentSessionsError';

  /**
   * @param status the HTTP status, 0 without a response
   * @param code a stable code, such as `ALREADY_EXISTS`; without a response, `UNAVAILABLE`
   */
  constructor(readonly status: number, readonly code: string, detail: string) {
    super(status ? `${status} ${code}: ${detail}` : detail);
  }
}

// ADK 2.1 and later has an error class for this, which callers know.
const AdkStale = (adk as { StaleSessionError?: typeof Error }).StaleSessionError ?? Error;

/** The stored session has other events than the session object. */
export class StaleSessionError extends AdkStale {
  override name = 'StaleSessionError';
  readonly status = 412;
  readonly code = 'STALE_SESSION';
}

/** Another holder has the lease of the session. */
export class SessionBusyError extends AgentSessionsError {
  override name = 'SessionBusyError';

  /**
   * @param holder the holder of the lease
   * @param expireTime when the lease expires without renewal, in milliseconds, by the clock of the service's database
   * @param retryAfter the time from now until then, in milliseconds
   */
  constructor(detail: string, readonly holder: string, readonly expireTime: number, readonly retryAfter: number) {
    super(409, 'SESSION_BUSY', `${detail}: ${holder}`);
  }
}

/** The lease of this turn has ended, or another holder has taken it. The service stored nothing. */
export class LeaseLostError extends AgentSessionsError {
  override name = 'LeaseLostError';
}

/** Whether the service has refused a request for one of these reasons. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof AgentSessionsError && codes.includes(error.code);
}

/** Returns the error of an error response. */
export function problem(status: number, headers: Headers, body: string): Error {
  let said: { code: string; detail: string; holder?: string; expireTime?: number } = { code: 'UNKNOWN', detail: body };
  try {
    said = { ...said, ...JSON.parse(body) as object };
  } catch {
    // Not a response of the service, but of a proxy in front of it.
  }
  const { code, detail, holder = '', expireTime = 0 } = said;
  switch (code) {
    case 'STALE_SESSION': return new StaleSessionError(detail);
    case 'SESSION_BUSY': return new SessionBusyError(detail, holder, expireTime * 1000, retryAfter(headers));
    case 'LEASE_LOST': return new LeaseLostError(status, code, detail);
    default: return new AgentSessionsError(status, code, detail);
  }
}

/** Returns the Retry-After of a response in milliseconds; 0 without one. */
export function retryAfter(headers: Headers): number {
  return (Number(headers.get('Retry-After')) || 0) * 1000;
}

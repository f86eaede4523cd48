// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import * as adk from '@google/adk';

/** What the service answered instead of a success, or that it could not be reached; rely on `code`. */
export class AgentSessionsError extends Error {
  override name = 'AgentSessionsError';

  /**
   * @param status that of the answer, 0 without one
   * @param code as `ALREADY_EXISTS`; without an answer it is `UNAVAILABLE`
   * @param repeated whether an earlier attempt of the request may have succeeded
   */
  constructor(readonly status: number, readonly code: string, detail: string, readonly repeated = false) {
    super(status ? `${status} ${code}: ${detail}` : detail);
  }
}

// Versions of ADK from 2.1 on have an error for this, which callers know.
const AdkStale = (adk as { StaleSessionError?: typeof Error }).StaleSessionError ?? Error;

/** The session has other events than the object that was appended to. */
export class StaleSessionError extends AdkStale {
  override name = 'StaleSessionError';
  readonly status = 412;
  readonly code = 'STALE_SESSION';
}

/** It is somebody else's turn at the session. */
export class SessionBusyError extends AgentSessionsError {
  override name = 'SessionBusyError';

  /**
   * @param holder who has the lease of the session
   * @param expireTime when it ends if nobody renews it, in milliseconds, by the clock of the service's database
   * @param retryAfter after how many milliseconds from now that is
   */
  constructor(detail: string, readonly holder: string, readonly expireTime: number, readonly retryAfter: number) {
    super(409, 'SESSION_BUSY', `${detail}: ${holder}`);
  }
}

/** The lease of this turn has ended, or somebody else has taken it. Nothing was stored. */
export class LeaseLostError extends AgentSessionsError {
  override name = 'LeaseLostError';
}

/** The error that says what an answer says. */
export function problem(status: number, headers: Headers, body: string, repeated = false): Error {
  let said: { code: string; detail: string; holder?: string; expireTime?: number } = { code: 'UNKNOWN', detail: body };
  try {
    said = { ...said, ...JSON.parse(body) as object };
  } catch {
    // Not an answer of the service, but of something before it.
  }
  const { code, detail, holder = '', expireTime = 0 } = said;
  switch (code) {
    case 'STALE_SESSION': return new StaleSessionError(detail);
    case 'SESSION_BUSY': return new SessionBusyError(detail, holder, expireTime * 1000, retryAfter(headers));
    case 'LEASE_LOST': return new LeaseLostError(status, code, detail);
    default: return new AgentSessionsError(status, code, detail, repeated);
  }
}

/** For how many milliseconds an answer asks to wait. */
export function retryAfter(headers: Headers): number {
  return (Number(headers.get('Retry-After')) || 0) * 1000;
}

/** Whether what was to be made is there because an earlier attempt has made it, whose answer got lost. */
export function isMadeAlready(error: unknown): boolean {
  return error instanceof AgentSessionsError && error.code === 'ALREADY_EXISTS' && error.repeated;
}

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import type { Session } from '@google/adk';
import type { Request } from './client.js';
import type { AgentSessionsError } from './errors.js';

export interface AcquireRequest {
  /** The session as it was read. */
  session: Session;
  /**
   * The time after which the lease expires if this process dies or stops, in milliseconds: 1,000 to 3,600,000, and
   * 60,000 if absent. The client renews the lease after each third of it.
   */
  ttl?: number;
  /** Makes the service refuse all other appends while the lease is held, including appends without a lease. */
  exclusive?: boolean;
  /**
   * The name of the lease holder that other clients see; this machine and process if absent. The client adds a random
   * suffix.
   */
  holder?: string;
}

/** Sends a request about the lease of one session. */
type Send = (verb: string, body: object, request: Request) => Promise<unknown>;

/** The lease of a session for a turn. The client renews it until it is released. */
export class TurnLease {
  private readonly loss = new AbortController();
  private held = true;
  private timer: NodeJS.Timeout;

  /**
   * @param number the number of the lease
   * @param holder the name of the lease holder that other clients see
   */
  constructor(
    readonly number: number, readonly holder: string,
    private readonly ttl: number, private readonly send: Send, private readonly forget: () => void,
  ) {
    this.timer = this.renewLater();
  }

  /** Aborts with the error when the lease is lost. Pass it to work that must stop then, such as a run of an agent. */
  get signal(): AbortSignal {
    return this.loss.signal;
  }

  /** The request header with the lease number, empty after the release. */
  get headers(): Record<string, string> {
    return this.held ? { Lease: String(this.number) } : {};
  }

  /** Releases the lease. It does not fail: a lease that cannot be released expires. */
  async release(): Promise<void> {
    if (!this.held) return;
    const { headers } = this;
    this.held = false;
    clearTimeout(this.timer);
    this.forget();
    await this.send(':release', {}, { headers }).catch(() => undefined);
  }

  /** Releases the lease at the end of `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  private renewLater(): NodeJS.Timeout {
    return setTimeout(() => void this.renew(), this.ttl / 3).unref();
  }

  private async renew(): Promise<void> {
    try {
      await this.send(':acquire', { ttl: `${this.ttl / 1000}s` }, { headers: this.headers });
    } catch (error) {
      const { code } = error as AgentSessionsError;
      if (code === 'LEASE_LOST' || code === 'SESSION_NOT_FOUND') return this.lose(error);
      // The service may recover before the lease expires.
    }
    if (this.held) this.timer = this.renewLater();
  }

  private lose(error: unknown): void {
    if (this.held) this.loss.abort(error);
  }
}

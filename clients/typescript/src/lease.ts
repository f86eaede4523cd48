// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import type { Session } from '@google/adk';
import type { Request } from './client.js';
import type { AgentSessionsError } from './errors.js';

export interface AcquireRequest {
  /** The session, as it was read. */
  session: Session;
  /**
   * After how many milliseconds the lease ends by itself, if this process dies or stops; 1,000 to 3,600,000, and 60,000
   * if absent. It is renewed after a third of it.
   */
  ttl?: number;
  /** Refuses all other appends meanwhile, also those that do not care about leases. */
  exclusive?: boolean;
  /** Who has it, for others to see; this machine and process if absent. Something random is added. */
  holder?: string;
}

/** Asks for something to be done with the lease of one session. */
type Send = (verb: string, body: object, request: Request) => Promise<unknown>;

/** The lease of a session while a turn lasts: renews itself until it is released. */
export class TurnLease {
  private readonly loss = new AbortController();
  private held = true;
  private timer: NodeJS.Timeout;

  /**
   * @param number the number of the lease
   * @param holder who has it, for others to see
   */
  constructor(
    readonly number: number, readonly holder: string,
    private readonly ttl: number, private readonly send: Send, private readonly forget: () => void,
  ) {
    this.timer = this.renewLater();
  }

  /** Is aborted, with the error, when the lease is lost. Give it to what should stop then, as to a run of an agent. */
  get signal(): AbortSignal {
    return this.loss.signal;
  }

  /** What says that something is done under this lease. */
  get headers(): Record<string, string> {
    return this.held ? { Lease: String(this.number) } : {};
  }

  /** Gives the lease back. It does not fail: a lease that is not given back ends by itself. */
  async release(): Promise<void> {
    if (!this.held) return;
    const { headers } = this;
    this.held = false;
    clearTimeout(this.timer);
    this.forget();
    await this.send(':release', {}, { headers }).catch(() => undefined);
  }

  /** Gives the lease back at the end of `await using`. */
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
      // The service may be back before the lease ends.
    }
    if (this.held) this.timer = this.renewLater();
  }

  private lose(error: unknown): void {
    if (this.held) this.loss.abort(error);
  }
}

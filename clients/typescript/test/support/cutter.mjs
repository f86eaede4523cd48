// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Forwards bytes between client and service, cuts connections on request, and stores what clients send. */
export class Cutter {
  /** While true, new connections wait. */
  holds = false;
  /** The data that clients have sent. */
  sent = '';
  #waiting = [];
  #sockets = new Set();
  #server = createServer((client) => (this.holds ? this.#waiting.push(client) : this.#pass(client)));

  /** @param upstream the address of the service */
  static async before(upstream) {
    const cutter = new Cutter();
    cutter.upstream = new URL(upstream);
    cutter.#server.listen(0, '127.0.0.1');
    await once(cutter.#server, 'listening');
    cutter.url = `http://127.0.0.1:${cutter.#server.address().port}`;
    return cutter;
  }

  get connections() {
    return this.#sockets.size / 2;
  }

  cut() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }

  letThrough() {
    this.holds = false;
    for (const client of this.#waiting.splice(0)) this.#pass(client);
  }

  close() {
    this.#server.close();
    this.cut();
    for (const client of this.#waiting) client.destroy();
  }

  #pass(client) {
    const service = connect(Number(this.upstream.port), this.upstream.hostname);
    client.on('data', (piece) => (this.sent += piece));
    for (const [socket, other] of [[client, service], [service, client]]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}

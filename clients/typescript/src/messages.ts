// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

/** A server-sent event: `id`, `event`, `data`. */
export type Message = Record<string, string | undefined>;

type Piece = ReadableStreamReadResult<Uint8Array>;

/**
 * Yields the messages of a connection until it ends, without an incomplete last message.
 *
 * @param heard waits for the next chunk, and returns `undefined` if the connection broke
 */
export async function* messages(
  reader: ReadableStreamDefaultReader<Uint8Array>, heard: (piece: Promise<Piece>) => Promise<Piece | undefined>,
): AsyncGenerator<Message, void, undefined> {
  const decoder = new TextDecoder();
  let message: Message = {};
  let line = '';
  for (;;) {
    const piece = await heard(reader.read());
    if (!piece || piece.done) return;
    const [first = '', ...others] = decoder.decode(piece.value, { stream: true }).split('\n');
    line += first;
    for (const next of others) {
      const [, name = '', value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (line !== '') message[name] = value;
      else {
        yield message;
        message = {};
      }
      line = next;
    }
  }
}

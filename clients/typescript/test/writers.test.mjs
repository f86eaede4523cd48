// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Writers in several languages increase a counter in one session at the same time. No increment is lost, a writer with
// an outdated session gets an error, and each writer can read the events of all others.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createEvent, createEventActions } from '@google/adk';
import { AgentSessionService, StaleSessionError } from '@agent-sessions/adk';

const { CONFORMANCE_WRITERS, CONFORMANCE_MEETING } = process.env;
const writers = (CONFORMANCE_WRITERS ?? '').split(' ').filter(Boolean);

/** Waits until all writers have reached this point; the script reads the content of the files. */
async function meet(place, text) {
  const file = (writer) => `${CONFORMANCE_MEETING}/${writer}.${place}`;
  writeFileSync(file('typescript'), text);
  while (!writers.every((writer) => existsSync(file(writer)))) await setTimeout(20);
}

test('counts with other languages', { skip: writers.length === 0 }, async () => {
  const service = new AgentSessionService();
  const read = () => service.getSession({ appName: 'writers', userId: 'alice', sessionId: 'shared' });
  const image = { mimeType: 'image/png', data: 'Af/+Pj8=' };
  let session = await read();
  let stale = 0;
  await meet('read', ''); // so that all first appends but one are stale
  for (let number = 0; number < 10;) {
    const functionCall = { id: 'c1', name: 'count', args: { by: 'typescript' } };
    const event = createEvent({
      author: 'model',
      content: { role: 'model', parts: [{ inlineData: image }, { functionCall }] },
      actions: createEventActions({ stateDelta: { count: session.state.count + 1 } }),
    });
    try {
      await service.appendEvent({ session, event });
      number++;
    } catch (error) {
      assert(error instanceof StaleSessionError, error);
      stale++;
    }
    session = await read();
  }
  await meet('stale', `stale ${stale}`);
  const { state, events } = await read();
  assert.deepEqual([state.count, events.length], [10 * writers.length, 10 * writers.length]);
  const base64 = (data) => data.replaceAll('-', '+').replaceAll('_', '/');
  for (const { content } of events) assert.equal(base64(content.parts[0].inlineData.data), image.data);
  for (const writer of writers) {
    assert.equal(events.filter(({ content }) => content.parts[1].functionCall.args.by === writer).length, 10, writer);
  }
});

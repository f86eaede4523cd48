// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Tests that the packages for Python and JavaScript read and change each other's sessions. AGENT_SESSIONS_PYTHON is a
// Python with agent-sessions-openai, AGENT_SESSIONS_URL the address of a running service.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AgentSession, Connection } from '../../dist/index.js';
import { user } from '../support/items.mjs';

const connection = new Connection();
const appName = `together-${randomUUID()}`;
const sessionId = 'team/1';
const path = ['apps', appName, 'users', 'alice', 'sessions', 'team~2f1'];
const [one, three] = [user('one'), user('three')];
const two = { role: 'assistant', content: [{ type: 'output_text', text: 'two' }] };

/** Calls methods of the session in Python; returns what they return. */
async function python(...calls) {
  const program = fileURLToPath(new URL('python.py', import.meta.url));
  const arguments_ = [program, appName, sessionId, JSON.stringify(calls)];
  const { stdout } = await promisify(execFile)(process.env.AGENT_SESSIONS_PYTHON, arguments_, { timeout: 300_000 });
  return JSON.parse(stdout);
}

test('both packages read, pop and replace the items of the other one', async () => {
  const session = new AgentSession({ sessionId, appName, userId: 'alice', connection });
  await session.addItems([one, two]);
  const popped = await python(['add_items', [one, two, three]], ['pop_item'], ['add_items', [three]], ['get_items']);
  assert.deepEqual(popped, [null, three, null, [one, two, one, two, three]]);
  assert.deepEqual(await session.getItems(), popped[3]);
  const { events } = (await connection.send('GET', path)).body;
  const written = events.map(({ author, content, customMetadata }) => ({ author, content, customMetadata }));
  assert.deepEqual(written.slice(2, 4), written.slice(0, 2));
  const replace = { type: 'replace_suffix', expectedSuffix: [two, three], replacement: [three, two] };
  const append = { type: 'append_items', items: [] };
  await session.applyHistoryTransaction({ operationId: '1', transaction: replace });
  await session.applyHistoryTransaction({ operationId: '2', transaction: append });
  assert.deepEqual(await python(['get_items'], ['pop_item']), [[one, two, one, three, two], two]);
  assert.deepEqual(await session.popItem(), three);
});

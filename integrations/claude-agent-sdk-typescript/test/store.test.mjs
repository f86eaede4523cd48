// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Tests of the store with a running service, whose address is in AGENT_SESSIONS_URL.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deleteSession, getSessionMessages, listSessions, renameSession } from '@anthropic-ai/claude-agent-sdk';
import { AgentSessionsError, AgentSessionStore, Connection } from '../dist/index.js';
import { sessionName } from '../dist/connection.js';
import { entry, turn } from './support/entries.mjs';

const connection = new Connection();
const KEY = { projectKey: '-home-alice-travel', sessionId: '6f2c1f6e-4f0a-4c0e-9b0a-1f2e3d4c5b6a' };
const newApp = () => `test-${randomUUID()}`;
const storeOf = (appName, userId = 'alice') => new AgentSessionStore({ connection, appName, userId });
const idsOf = (entries) => entries.map(({ uuid }) => uuid);

test('an entry comes back as it was', async () => {
  const store = storeOf(newApp());
  const odd = JSON.parse('{"type": "x", "user_id": null, "call": {"a_b": 1.5}, "__proto__": 1, "text": "\\u0000\\ud800ß"}');
  await store.append(KEY, [odd]);
  assert.equal(JSON.stringify(await store.load(KEY)), JSON.stringify([odd]));
});

test('a retry stores nothing twice', async () => {
  const app = newApp();
  const store = storeOf(app);
  const entries = turn();
  await store.append(KEY, entries.slice(0, 3));
  await storeOf(app).append(KEY, entries);
  await store.append(KEY, [...entries, entries[0], { ...entries[1], type: 'changed' }]);
  assert.deepEqual(await store.load(KEY), entries);
  const more = turn().slice(0, 2);
  await store.append(KEY, [...more, more[0]]);
  assert.deepEqual(await store.load(KEY), [...entries, ...more]);
});

test('a lost response stores nothing twice', async () => {
  const seen = new Set();
  const losing = async (address, request) => {
    const response = await fetch(address, request);
    if (!request.body || !response.ok || seen.has(request.body)) return response;
    seen.add(request.body);
    throw new TypeError('fetch failed', { cause: new Error('lost') });
  };
  const lossy = new Connection({ fetch: losing });
  const store = new AgentSessionStore({ connection: lossy, appName: newApp(), userId: 'alice' });
  const unnamed = [{ type: 'title' }, { type: 'title' }];
  await store.append(KEY, unnamed);
  await store.append(KEY, turn().slice(0, 1));
  assert.deepEqual((await store.load(KEY)).slice(0, 2), unnamed);
  assert.equal((await store.load(KEY)).length, 3);
});

test('twenty writers in two processes lose no entry and no summary', async () => {
  const app = newApp();
  const program = fileURLToPath(new URL('support/writers.mjs', import.meta.url));
  const written = (await Promise.all([0, 10].map(async (first) => {
    const arguments_ = [program, app, JSON.stringify(KEY), String(first)];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_, { timeout: 300_000 });
    return JSON.parse(stdout);
  }))).flat();
  const store = storeOf(app);
  const loaded = await store.load(KEY);
  assert.equal(written.length, 20);
  assert.deepEqual(idsOf(loaded).sort(), written.flat().sort());
  for (const [first, second] of written) assert.ok(idsOf(loaded).indexOf(first) < idsOf(loaded).indexOf(second));
  const [summary] = await store.listSessionSummaries(KEY.projectKey);
  assert.equal(summary.data.firstPrompt, loaded[0].message.content);
});

test('the functions of the SDK read and change sessions', async () => {
  const app = newApp();
  const store = storeOf(app);
  const [dir, sessionId] = ['/home/alice/travel', KEY.sessionId];
  const entries = turn();
  entries.forEach((one, index) => Object.assign(one, { parentUuid: entries[index - 1]?.uuid ?? null, sessionId }));
  await store.append(KEY, entries);
  await renameSession(sessionId, 'Kyoto', { dir, sessionStore: store });
  const [info] = await listSessions({ dir, sessionStore: store });
  const expected = [sessionId, 'Kyoto', 'When do the cherries blossom?'];
  assert.deepEqual([info.sessionId, info.summary, info.firstPrompt], expected);
  const messages = await getSessionMessages(sessionId, { dir, sessionStore: store });
  assert.deepEqual(idsOf(messages), idsOf(entries));
  await writeSummaryOfPython(app);
  assert.deepEqual(await store.listSessionSummaries(KEY.projectKey), []);
  const [read] = await listSessions({ dir, sessionStore: store });
  assert.deepEqual([read.sessionId, read.summary, read.firstPrompt], expected);
  await deleteSession(sessionId, { dir, sessionStore: store });
  assert.deepEqual(await listSessions({ dir, sessionStore: store }), []);
});

async function writeSummaryOfPython(app) {
  const session = ['apps', app, 'users', 'alice', 'sessions', sessionName(KEY.projectKey, KEY.sessionId)];
  const stateDelta = { claude_summary: { first_prompt: 'x' } };
  const event = { id: randomUUID(), author: 'claude', actions: { stateDelta } };
  await connection.send('POST', session, '/events', { body: event });
}

test('console, search and usage read what was said', async () => {
  const app = newApp();
  const entries = turn();
  await storeOf(app).append(KEY, entries);
  const user = ['apps', app, 'users', 'alice'];
  const { events } = (await connection.send('GET', [...user, 'sessions', sessionName(...Object.values(KEY))])).body;
  const found = (await connection.send('POST', user, '/events:search', { body: { q: 'cherries blossom' } })).body;
  const { usage } = (await connection.send('GET', user, '/usage')).body;
  assert.deepEqual(events.map(({ id }) => id), idsOf(entries));
  assert.deepEqual(new Set(events.map(({ invocationId }) => invocationId)), new Set([entries[0].uuid]));
  assert.deepEqual(events.map(({ author }) => author), ['user', ...Array(4).fill('claude')]);
  assert.deepEqual(events[0].content, { role: 'user', parts: [{ text: 'When do the cherries blossom?' }] });
  assert.equal(events[2].content.parts[0].functionCall.name, 'Read');
  const answer = { id: 'toolu_1', name: 'Read', response: { result: 'April' } };
  assert.deepEqual(events[3].content.parts[0].functionResponse, answer);
  assert.equal(events[0].timestamp, 1793527200);
  assert.ok(JSON.stringify(found).includes(entries[0].uuid));
  assert.deepEqual([usage.turns, usage.promptTokens, usage.outputTokens], [1, 30, 14]);
});

test('many entries are appended in order', async () => {
  const store = storeOf(newApp());
  const entries = Array.from({ length: 350 }, (_, number) => entry('user', number + 'x'.repeat(4_000)));
  await store.append(KEY, entries);
  assert.deepEqual(await store.load(KEY), entries);
});

test('any name is possible', async () => {
  for (const name of ['a/b', 'a~2fb', 'a:b', '..', 'é\n%;\\', 'plain-1']) {
    const store = storeOf(newApp());
    await store.append({ projectKey: name, sessionId: name }, turn());
    await store.append({ projectKey: name, sessionId: name, subpath: name }, turn().slice(0, 1));
    assert.deepEqual(await store.listSubkeys({ projectKey: name, sessionId: name }), [name]);
    assert.deepEqual((await store.listSessions(name)).map(({ sessionId }) => sessionId), [name]);
  }
});

test('a store sees only its user', async () => {
  const app = newApp();
  await storeOf(app).append(KEY, turn());
  const other = storeOf(app, 'users/bob');
  assert.equal(await other.load(KEY), null);
  assert.deepEqual(await other.listSessions(KEY.projectKey), []);
  await other.append(KEY, turn().slice(0, 1));
  assert.equal((await other.load(KEY)).length, 1);
});

test('a refused append says why, and the next one works', async () => {
  const refusal = (error) => error instanceof AgentSessionsError && Boolean(error.code);
  await assert.rejects(storeOf('a/b').append(KEY, turn()), refusal);
  const store = storeOf(newApp());
  const cycle = { type: 'x' };
  cycle.self = cycle;
  await assert.rejects(store.append(KEY, [cycle]), TypeError);
  await store.append(KEY, turn().slice(0, 1));
  assert.equal((await store.load(KEY)).length, 1);
});

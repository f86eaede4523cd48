// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// What the SDK asks of a store, with a running service. The package of the SDK has no tests of it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { AgentSessionStore, Connection } from '../dist/index.js';

const connection = new Connection();
const main = { projectKey: 'project', sessionId: 'one' };
const sub = (subpath, key = main) => ({ ...key, subpath });
const entries = (...types) => types.map((type) => ({ type }));
const newStore = () => new AgentSessionStore({ connection, appName: `test-${randomUUID()}`, userId: 'alice' });
const idsOf = async (listed) => (await listed).map(({ sessionId }) => sessionId).sort();

test('appends keep their order, and entries come back equal', async () => {
  const store = newStore();
  const first = [{ type: 'a', nested: { list: [1, 2, { x: null }] } }, { type: 'b' }];
  await store.append(main, first);
  await Promise.all(['c', 'd', 'e'].map((type) => store.append(main, entries(type))));
  assert.deepEqual(await store.load(main), [...first, ...entries('c', 'd', 'e')]);
});

test('nothing is null, also after an append of nothing', async () => {
  const store = newStore();
  await store.append(main, []);
  assert.equal(await store.load(main), null);
  assert.equal(await store.load(sub('subagents/a')), null);
  await store.append(main, entries('a'));
  await store.append(main, []);
  assert.deepEqual(await store.load(main), entries('a'));
});

test('projects and subagents have transcripts of their own', async () => {
  const store = newStore();
  const other = { ...main, projectKey: 'other' };
  await store.append(main, entries('main'));
  await store.append(other, entries('other'));
  await store.append(sub('subagents/a'), entries('sub'));
  assert.deepEqual(await store.load(main), entries('main'));
  assert.deepEqual(await store.load(other), entries('other'));
  assert.deepEqual(await store.load(sub('subagents/a')), entries('sub'));
});

test('lists have the transcripts of a project without subagents', async () => {
  const store = newStore();
  for (const sessionId of ['one', 'two']) await store.append({ projectKey: 'project', sessionId }, entries('a'));
  await store.append({ projectKey: 'other', sessionId: 'three' }, entries('a'));
  await store.append(sub('subagents/a', { projectKey: 'project', sessionId: 'four' }), entries('a'));
  const listed = await store.listSessions('project');
  assert.deepEqual(listed.map(({ sessionId }) => sessionId).sort(), ['one', 'two']);
  for (const { mtime } of listed) assert.ok(Number.isInteger(mtime) && Math.abs(mtime - Date.now()) < 600_000);
  assert.deepEqual(await store.listSessions('unknown'), []);
});

test('summaries follow appends, with the times of the list', async () => {
  const store = newStore();
  await store.append(main, [{ type: 'custom-title', customTitle: 'First', uuid: randomUUID() }]);
  await store.append(main, [{ type: 'custom-title', customTitle: 'Second' }]);
  await store.append(sub('subagents/a'), [{ type: 'custom-title', customTitle: 'Third' }]);
  const [summary, ...others] = await store.listSessionSummaries('project');
  assert.deepEqual(others, []);
  assert.equal(summary.data.customTitle, 'Second');
  const { data, ...rest } = summary;
  assert.deepEqual(await store.listSessions('project'), [rest]);
  await store.delete(main);
  assert.deepEqual(await store.listSessionSummaries('project'), []);
});

test('a deletion of the main transcript includes its subagents and nothing else', async () => {
  const store = newStore();
  const others = [{ ...main, sessionId: 'other' }, { ...main, projectKey: 'other' }];
  const all = [main, sub('subagents/a'), sub('subagents/b'), ...others];
  for (const key of all) await store.append(key, entries('a'));
  await store.delete(sub('subagents/a'));
  assert.deepEqual(await store.listSubkeys(main), ['subagents/b']);
  assert.deepEqual(await store.load(main), entries('a'));
  await store.delete(main);
  for (const key of all.slice(0, 3)) assert.equal(await store.load(key), null);
  for (const key of others) assert.deepEqual(await store.load(key), entries('a'));
  assert.deepEqual(await store.listSubkeys(main), []);
  await store.delete({ projectKey: 'unknown', sessionId: 'unknown' });
  await store.append(main, entries('again'));
  assert.deepEqual(await store.load(main), entries('again'));
});

test('subkeys are those of one session, without the main transcript', async () => {
  const store = newStore();
  await store.append(main, entries('a'));
  assert.deepEqual(await store.listSubkeys(main), []);
  for (const path of ['subagents/a', 'subagents/b']) await store.append(sub(path), entries('a'));
  await store.append(sub('subagents/c', { ...main, sessionId: 'other' }), entries('a'));
  assert.deepEqual((await store.listSubkeys(main)).sort(), ['subagents/a', 'subagents/b']);
  assert.deepEqual(await idsOf(store.listSessions('project')), ['one']);
});

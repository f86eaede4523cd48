// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Tests of the session with a running service, whose address is in AGENT_SESSIONS_URL.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, isSessionHistoryTransactionAwareSession, Runner, tool } from '@openai/agents-core';
import { functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { OpenAIResponsesCompactionSession } from '@openai/agents-openai';
import { z } from 'zod';
import { AgentSession, AgentSessionsError, Connection } from '../dist/index.js';
import { says, user } from './support/items.mjs';

const connection = new Connection();
const newApp = () => `test-${randomUUID()}`;
const sessionOf = (appName, options) =>
  new AgentSession({ sessionId: 's1', appName, userId: 'alice', connection, ...options });
const users = (...texts) => texts.map((text) => user(text));
const appended = (...items) => ({ type: 'append_items', items });
const replaced = (expectedSuffix, replacement) => ({ type: 'replace_suffix', expectedSuffix, replacement });
const called = { callId: 'c1', name: 'weather', status: 'completed' };
const call = { type: 'function_call', ...called, arguments: '{"city":"Kyoto"}' };
const output = { type: 'function_call_result', ...called, output: { type: 'text', text: 'Rain' } };

test('items come back as they were, in order', async () => {
  const session = sessionOf(newApp());
  const odd = JSON.parse('{"type":"x","user_id":null,"call":{"a_b":1.5},"__proto__":1,"text":"\\u0000\\ud800ß"}');
  assert.equal(await session.getSessionId(), 's1');
  assert.deepEqual(await session.getItems(), []);
  await session.addItems([]);
  await session.addItems([user('one'), odd]);
  await session.addItems([user('one')]);
  assert.equal(JSON.stringify(await session.getItems()), JSON.stringify([user('one'), odd, user('one')]));
});

test('an item that JSON cannot hold is refused, and a later change of an item changes nothing', async () => {
  const session = sessionOf(newApp());
  const bytes = { role: 'user', content: [{ type: 'input_image', image: new Uint8Array(3) }] };
  await assert.rejects(session.addItems([user('one'), bytes]), TypeError);
  const item = user('two');
  const adding = session.addItems([item]);
  item.content = 'changed';
  await adding;
  assert.deepEqual(await session.getItems(), users('two'));
});

test('a limit gives the newest items', async () => {
  const session = sessionOf(newApp());
  const items = users('0', '1', '2');
  await session.addItems(items);
  assert.deepEqual(await session.getItems(2), items.slice(1));
  assert.deepEqual(await session.getItems(9), items);
  assert.deepEqual(await session.getItems(0), []);
});

test('pop takes back the newest item only, calls and results one by one', async () => {
  const session = sessionOf(newApp());
  const items = [user('Umbrella?'), call, output];
  assert.equal(await session.popItem(), undefined);
  await session.addItems(items);
  assert.deepEqual(await session.popItem(), output);
  assert.deepEqual(await session.getItems(), items.slice(0, 2));
  await session.addItems([output]);
  assert.deepEqual(await session.getItems(), items);
  for (const item of [...items.reverse(), undefined]) assert.deepEqual(await session.popItem(), item);
  assert.deepEqual(await session.getItems(), []);
});

test('each item is popped once', async () => {
  const app = newApp();
  await sessionOf(app).addItems(users('0', '1', '2', '3', '4'));
  const popped = await Promise.all(Array.from({ length: 6 }, () => sessionOf(app).popItem()));
  assert.deepEqual(popped.map((item) => item?.content).sort(), ['0', '1', '2', '3', '4', undefined]);
});

test('clear keeps the session with its history', async () => {
  const app = newApp();
  const session = sessionOf(app);
  const path = ['apps', app, 'users', 'alice', 'sessions', 's1'];
  const read = async () => (await connection.send('GET', path, '', { query: { includeRevision: 'true' } })).body;
  await session.addItems(users('one', 'two'));
  const details = { displayName: 'Trip', labels: { channel: 'chat' }, stateDelta: { topic: 'Kyoto' } };
  await connection.send('PATCH', path, '', { body: details });
  const before = await read();
  await session.clearSession();
  assert.deepEqual(await session.getItems(), []);
  assert.equal(await session.popItem(), undefined);
  await session.addItems(users('three'));
  assert.deepEqual(await session.getItems(), users('three'));
  const after = await read();
  assert.deepEqual(after.events.slice(0, 3), before.events);
  assert.deepEqual([after.displayName, after.labels, after.state.topic], ['Trip', { channel: 'chat' }, 'Kyoto']);
  assert.equal(before.etag.split('.')[1], after.etag.split('.')[1]); // the same session
  assert.ok(after.revision > before.revision);
});

test('clear removes what others have added as well', async () => {
  const app = newApp();
  const [mine, other] = [sessionOf(app), sessionOf(app)];
  for (const number of [0, 1]) {
    await mine.addItems(users(`mine ${number}`));
    await other.addItems(users(`other ${number}`));
    await mine.getItems();
  }
  await mine.clearSession();
  assert.deepEqual(await other.getItems(), []);
  await mine.addItems(users('new'));
  await other.addItems(users('newer'));
  await mine.clearSession();
  await mine.getItems();
  await mine.addItems(users('newest'));
  assert.deepEqual(await other.getItems(), users('newest'));
});

for (const isManual of [false, true]) {
  test(`a ${isManual ? 'manual' : 'automatic'} compaction of the SDK loses nothing of others`, async () => {
    const app = newApp();
    const [underlyingSession, other] = [sessionOf(app), sessionOf(app)];
    const asked = [];
    const compact = async (request) => {
      asked.push(request);
      await other.addItems(users('Meanwhile'));
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      return { output: [{ type: 'compaction', id: 'c1', encrypted_content: 'secret' }], usage };
    };
    const session = new OpenAIResponsesCompactionSession({
      underlyingSession, client: { responses: { compact } }, compactionMode: 'input',
      shouldTriggerCompaction: () => !isManual,
    });
    const agent = new Agent({ name: 'guide', model: new ScriptedModel([says('Hello, Ada!')]) });
    await new Runner({ tracingDisabled: true }).run(agent, 'My name is Ada.', { session });
    if (isManual) await session.runCompaction({ force: true });
    assert.equal(asked.length, 1);
    assert.match(JSON.stringify(asked), /My name is Ada\./);
    const kept = await other.getItems();
    assert.deepEqual(kept.map(({ type, content }) => type ?? content), ['compaction', 'Meanwhile']);
    const { events } = (await connection.send('GET', ['apps', app, 'users', 'alice', 'sessions', 's1'])).body;
    const texts = events.flatMap(({ content }) => content?.parts.map(({ text }) => text) ?? []);
    assert.deepEqual(texts.slice(0, 2), ['My name is Ada.', 'Hello, Ada!']);
  });
}

test('an item between a clear and the next item comes after it', async () => {
  const app = newApp();
  const [mine, other] = [sessionOf(app), sessionOf(app)];
  await mine.addItems(users('one'));
  await mine.clearSession();
  await other.addItems(users('meanwhile'));
  const added = ['summary', ...Array.from({ length: 1_500 }, (_, number) => String(number))];
  await mine.addItems(users(...added));
  assert.deepEqual(await other.getItems(), users(...added, 'meanwhile'));
});

test('clear resets what the session knows of transactions', async () => {
  const session = sessionOf(newApp());
  await session.clearSession();
  for (const text of ['one', 'two']) {
    await session.applyHistoryTransaction({ operationId: 'o1', transaction: appended(user(text)) });
    assert.deepEqual(await session.getItems(), users(text));
    await session.clearSession();
    assert.deepEqual(await session.getItems(), []);
  }
});

test('twenty writers in two processes lose no item', async () => {
  const app = newApp();
  const program = fileURLToPath(new URL('support/writers.mjs', import.meta.url));
  await Promise.all(['0', '10'].map((first) =>
    promisify(execFile)(process.execPath, [program, app, first], { timeout: 300_000 })));
  const stored = (await sessionOf(app).getItems()).map(({ content }) => content);
  const written = Array.from({ length: 20 }, (_, writer) => [0, 1, 2].map((number) => `${writer}-${number}`));
  assert.deepEqual([...stored].sort(), written.flat().sort());
  for (const items of written) {
    const positions = items.map((item) => stored.indexOf(item));
    assert.deepEqual(positions, [...positions].sort((one, other) => one - other));
  }
});

test('a lost response stores nothing twice', async () => {
  const seen = new Set();
  const losing = async (address, request) => {
    const response = await fetch(address, request);
    if (!request.body || !response.ok || seen.has(request.body)) return response;
    seen.add(request.body);
    throw new TypeError('fetch failed', { cause: new Error('lost') });
  };
  const session = sessionOf(newApp(), { connection: new Connection({ fetch: losing }) });
  await session.addItems(users('one', 'two'));
  assert.deepEqual(await session.popItem(), user('two'));
  await session.applyHistoryTransaction({ operationId: 'o1', transaction: appended(user('three')) });
  const transaction = replaced(users('one', 'three'), users('four', 'five'));
  await session.applyHistoryTransaction({ operationId: 'o2', transaction });
  assert.deepEqual(await session.getItems(), users('four', 'five'));
  assert.equal(seen.size, 5);
});

test('a transaction that is repeated changes nothing, also after others', async () => {
  const session = sessionOf(newApp());
  assert.ok(isSessionHistoryTransactionAwareSession(session));
  const append = { operationId: 'team/1', transaction: appended(user('one'), call, output) };
  const replace = { operationId: '2', transaction: replaced([call, output], users('two')) };
  const remove = { operationId: '3', transaction: replaced(users('one', 'two'), []) };
  const steps = [[append, [user('one'), call, output]], [replace, users('one', 'two')], [remove, []]];
  for (const [transaction, expected] of steps) {
    await session.applyHistoryTransaction(transaction);
    for (const again of [transaction, append]) await session.applyHistoryTransaction(again);
    assert.deepEqual(await session.getItems(), expected);
  }
  await session.addItems(users('three'));
  for (const again of [append, replace, remove]) await session.applyHistoryTransaction(again);
  assert.deepEqual(await session.popItem(), user('three'));
  assert.equal(await session.popItem(), undefined);
});

test('a transaction that does not fit changes nothing', async () => {
  const session = sessionOf(newApp());
  const apply = (operationId, transaction) => session.applyHistoryTransaction({ operationId, transaction });
  const refused = (message) => (error) => error instanceof AgentSessionsError && message.test(error.message);
  await assert.rejects(apply('1', replaced(users('one'), [])), refused(/suffix no longer matches/));
  await session.addItems(users('one', 'two'));
  await assert.rejects(apply('1', replaced(users('one'), [])), refused(/suffix no longer matches/));
  await assert.rejects(apply('1', replaced(users('zero', 'one', 'two'), [])), refused(/suffix no longer matches/));
  await assert.rejects(apply(' ', appended()), refused(/non-empty/));
  await apply('1', appended());
  await assert.rejects(apply('1', appended(user('three'))), refused(/different transaction/));
  assert.deepEqual(await session.getItems(), users('one', 'two'));
});

test('callers that repeat one transaction at once apply it once', async () => {
  const app = newApp();
  await sessionOf(app).addItems(users('one'));
  for (const transaction of [appended(user('two')), replaced(users('two'), users('three', 'two'))]) {
    const args = { operationId: transaction.type, transaction };
    const apply = () => sessionOf(app).applyHistoryTransaction(args);
    await Promise.all(Array.from({ length: 8 }, apply));
  }
  assert.deepEqual(await sessionOf(app).getItems(), users('one', 'three', 'two'));
});

test('an agent with a tool is readable in the console', async () => {
  const app = newApp();
  const session = sessionOf(app);
  const model = new ScriptedModel([
    [functionCall('weather', { city: 'Kyoto' }, { callId: 'c1' })],
    says('Take an umbrella to the temple.'),
    says('Yes.'),
  ]);
  const parameters = z.object({ city: z.string() });
  const execute = ({ city }) => `Rain in ${city}`;
  const weather = tool({ name: 'weather', description: 'Weather', parameters, execute });
  const agent = new Agent({ name: 'guide', model, tools: [weather] });
  const runner = new Runner({ tracingDisabled: true });
  await runner.run(agent, 'What shall I take to Kyoto?', { session });
  await runner.run(agent, 'Really?', { session });
  assert.equal(model.lastCall.request.input.length, 5);
  const alice = ['apps', app, 'users', 'alice'];
  const { events } = (await connection.send('GET', [...alice, 'sessions', 's1'])).body;
  const found = (await connection.send('POST', alice, '/events:search', { body: { q: 'umbrella' } })).body;
  const answers = Array(3).fill('assistant');
  assert.deepEqual(events.map(({ author }) => author), ['user', ...answers, 'user', 'assistant']);
  const response = { result: 'Rain in Kyoto' };
  assert.deepEqual(events.slice(0, 4).map(({ content }) => content), [
    { role: 'user', parts: [{ text: 'What shall I take to Kyoto?' }] },
    { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'weather', args: { city: 'Kyoto' } } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'weather', response } }] },
    { role: 'model', parts: [{ text: 'Take an umbrella to the temple.' }] },
  ]);
  assert.ok(JSON.stringify(found).includes(events[3].id));
});

test('any name is possible', async () => {
  for (const sessionId of ['a/b', 'a~2fb', '..', 'é\n%;\\', 'plain-1']) {
    const app = newApp();
    const session = sessionOf(app, { sessionId, userId: 'users/bob' });
    await session.addItems(users(sessionId));
    assert.equal(await session.getSessionId(), sessionId);
    assert.deepEqual(await session.getItems(), users(sessionId));
    assert.deepEqual(await sessionOf(app, { sessionId }).getItems(), []);
  }
});

test('many items are added in order', async () => {
  const session = sessionOf(newApp());
  const items = Array.from({ length: 1_200 }, (_, number) => user(String(number)));
  await session.addItems(items);
  assert.deepEqual(await session.getItems(), items);
});

test('a refused request says why', async () => {
  await assert.rejects(sessionOf('a/b').addItems(users('one')), (error) => Boolean(error.code));
});

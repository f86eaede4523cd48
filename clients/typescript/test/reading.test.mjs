// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// An event that ADK cannot hold costs the smallest part that is wrong, and never the session or a run of an agent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BaseLlm, createEvent, InMemorySessionService, LlmAgent, Runner } from '@google/adk';
import { AgentSessionService } from '@agent-sessions/adk';
import { readEvent } from '../dist/reading.js';

const { AGENT_SESSIONS_URL: url = '', AGENT_SESSIONS_API_KEY: key = '' } = process.env;
const UNREADABLE = 'agent_sessions_unreadable';
const BASE64 = /^[\w+/-]*={0,2}$/;
const DATA = { mimeType: 'image/png', data: '_-8=', fileUri: 'gs://b/f' };
const CALL = {
  id: 'e-1', author: 'agent', invocationId: 'i-1', timestamp: 1.5, branch: 'agent',
  content: {
    role: 'model',
    parts: [
      { text: 'Hello', thoughtSignature: '_-8=' },
      { inlineData: DATA },
      { fileData: DATA },
      { functionCall: { id: 'c-1', name: 'f', args: { k: 1 } } },
      { executableCode: { code: '1', language: 'PYTHON' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    ],
  },
  actions: {
    stateDelta: { k: 1 }, artifactDelta: { f: 1 }, requestedAuthConfigs: { 'c-1': { k: 1 } }, agentState: { k: 1 },
    requestedToolConfirmations: { 'c-1': { hint: 'h', confirmed: false } }, transferToAgent: 'another',
  },
  longRunningToolIds: ['c-1'], customMetadata: { k: 1 }, usageMetadata: { promptTokenCount: 1 }, interactionId: 'i',
  nodeInfo: { path: 'a.b', outputFor: ['a.b'] },
};
const ANSWER = {
  id: 'e-2', author: 'agent', invocationId: 'i-1', timestamp: 2.5,
  content: {
    role: 'user',
    parts: [
      { functionResponse: { id: 'c-1', name: 'f', response: { k: 1 }, parts: [{ inlineData: DATA }, { fileData: DATA }] } },
    ],
  },
};

test('leaves out only what is wrong, and logs it once', (t) => {
  const warn = t.mock.method(console, 'warn', () => undefined);
  const wrong = [
    [['content', 'parts', 3, 'functionCall', 'args'], 'text'],
    [['content', 'parts', 0, 'thoughtSignature'], 'no Base64!'],
    [['content', 'parts', 1, 'inlineData', 'data'], { type: 'Buffer', data: [1] }],
    [['content', 'parts', 1, 'inlineData', 'data'], 'data:image/png;base64,AQI='],
    [['content', 'parts', 0], 'text'],
    [['actions', 'stateDelta'], ['k']],
    [['customMetadata'], [{ key: 'k' }]],
    [['timestamp'], '2026-01-01'],
    [['longRunningToolIds', 0], 7],
  ];
  for (const [number, [place, value]] of wrong.entries()) {
    const path = place.join('.');
    const event = changed({ ...CALL, id: `w-${number}` }, place, value);
    const [read] = [readEvent(event, 's-1'), readEvent(event, 's-1')];
    const { [UNREADABLE]: unreadable, ...metadata } = read.customMetadata;
    assert.deepEqual([unreadable, metadata], [[path], path === 'customMetadata' ? {} : { k: 1 }]);
    assert.deepEqual(read.content.parts.at(-1), CALL.content.parts.at(-1));
    assert.deepEqual(read.actions.artifactDelta, { f: 1 });
    assert.deepEqual(warn.mock.calls.map(({ arguments: [text] }) => text),
      [`Session s-1: ADK cannot hold these parts of the event w-${number}, which are left out: ${path}`]);
    warn.mock.resetCalls();
  }
  const absent = readEvent({ ...CALL, isolationScope: null, actions: { stateDelta: null } }, 's-1');
  assert.deepEqual([absent.customMetadata, 'isolationScope' in absent, absent.actions.stateDelta], [{ k: 1 }, false, {}]);
});

test('an agent continues after an event with any wrong value', async (t) => {
  t.mock.method(console, 'warn', () => undefined);
  const failures = new Set();
  let marked = 0;
  for (const wrong of [CALL, ANSWER]) {
    for (const [path, event] of wrongEvents(wrong)) {
      const events = (wrong === CALL ? [event, ANSWER] : [CALL, event]).map((each) => readEvent(each, 's'));
      marked += events.some(({ customMetadata }) => customMetadata?.[UNREADABLE]) ? 1 : 0;
      for (const name of ['agent', 'another']) {
        await run(events, name).catch((error) => failures.add(`${path}: ${error.message}`));
      }
    }
  }
  assert.deepEqual([...failures], []);
  assert(marked > 200, `${marked}`);
});

test('keeps the session, its watch and its fork, and stores a readable event next', { skip: !url }, async (t) => {
  const warn = t.mock.method(console, 'warn', () => undefined);
  const service = new AgentSessionService();
  const place = { appName: `ts-${crypto.randomUUID()}`, userId: 'alice' };
  const created = await service.createSession(place);
  const ofOthers = { ...JSON.parse(JSON.stringify(CALL)), customMetadata: [{ key: 'of Java' }], longRunningToolIds: [] };
  ofOthers.content.parts.push({ functionResponse: { id: 'c-1', name: 'f', response: 'of Rust' } });
  const answer = await fetch(`${url}/apps/${place.appName}/users/alice/sessions/${created.id}/events`, {
    method: 'POST', body: JSON.stringify(ofOthers),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
  });
  assert.equal(answer.status, 200);
  const request = { ...place, sessionId: created.id };
  const session = await service.getSession(request);
  const fork = await service.fork(request);
  const watch = service.watch({ ...request, afterSeq: 0 });
  const { value: watched } = await watch.next();
  await watch.return();
  for (const { customMetadata, content, actions } of [session.events[0], fork.events[0], watched.event]) {
    assert.deepEqual(customMetadata, { [UNREADABLE]: ['content.parts.6.functionResponse.response', 'customMetadata'] });
    assert.deepEqual([content.parts[6].functionResponse, actions.stateDelta], [{ id: 'c-1', name: 'f' }, { k: 1 }]);
  }
  assert.equal(warn.mock.callCount(), 2); // for the session, and for its fork
  await service.appendEvent({ session, event: createEvent({ author: 'user', invocationId: 'i-2' }) });
  await service.rewind({ session, beforeInvocationId: 'i-1' });
  assert.equal((await service.getSession(request)).events.length, 3);
});

/** Copies of an event in which one value is of another type. */
function* wrongEvents(event) {
  for (const path of paths(event)) {
    for (const value of ['no Base64 or number!', 7, true, ['x'], {}, null, [null]]) {
      yield [`${path.join('.')} = ${JSON.stringify(value)}`, changed(event, path, value)];
    }
  }
}

function* paths(value, path = []) {
  if (path.length && !['id', 'timestamp', 'author', 'invocationId'].includes(path[0])) yield path;
  if (typeof value !== 'object') return;
  for (const [step, inner] of Object.entries(value)) yield* paths(inner, [...path, step]);
}

function changed(event, path, value) {
  const copy = JSON.parse(JSON.stringify(event)); // without shared objects
  path.slice(0, -1).reduce((inside, step) => inside[step], copy)[path.at(-1)] = value;
  return copy;
}

/** Runs an agent in a session that has these events. */
async function run(events, name) {
  const sessionService = new InMemorySessionService();
  const place = { appName: 'a', userId: 'u' };
  const session = await sessionService.createSession(place);
  for (const event of events) await sessionService.appendEvent({ session, event });
  const agent = new LlmAgent({ name, model: new StrictModel({ model: 'none' }) });
  const runner = new Runner({ ...place, agent, sessionService });
  const newMessage = { role: 'user', parts: [{ text: 'And?' }] };
  let text;
  for await (const { content, errorMessage } of runner.runAsync({ ...place, sessionId: session.id, newMessage })) {
    text = errorMessage ?? content.parts[0].text;
  }
  assert.equal(text, 'Yes');
}

/** Refuses contents that a model refuses. */
class StrictModel extends BaseLlm {
  async* generateContentAsync({ contents }) {
    for (const { parts } of contents) for (const part of parts ?? []) assertFits(part);
    yield { content: { role: 'model', parts: [{ text: 'Yes' }] } };
  }
}

function assertFits(part) {
  const object = (value, name) => assert(value === undefined || Object.getPrototypeOf(value) === Object.prototype, name);
  object(part, 'part');
  for (const [name, value] of Object.entries(part)) {
    if (name === 'parts') value.forEach(assertFits);
    else if (['args', 'response'].includes(name)) object(value, name);
    else if (['data', 'thoughtSignature'].includes(name)) assert.match(value, BASE64, name);
    else if (['text', 'id', 'name', 'code', 'language', 'outcome', 'output', 'mimeType', 'fileUri'].includes(name)) {
      assert.equal(typeof value, 'string', name);
    } else assertFits(value);
  }
}

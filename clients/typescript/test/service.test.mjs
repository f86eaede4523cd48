// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// What ADK requires of a session service, what this one promises, and an agent, against a running service.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { test as nodeTest } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  BaseLlm, createEvent, createEventActions, FunctionTool, InMemorySessionService, LlmAgent, Runner,
} from '@google/adk';
import { AgentSessionService, AgentSessionsError, REMOVED, StaleSessionError } from '@agent-sessions/adk';

const {
  AGENT_SESSIONS_URL: url = '', AGENT_SESSIONS_API_KEY: key = '', CONFORMANCE_FAULTS = '', CONFORMANCE_RESTART = '',
} = process.env;
const app = `ts-${crypto.randomUUID()}`; // so that a run finds no data of an earlier run
const start = Date.parse('2026-01-01T00:00:00.123Z');
const service = new AgentSessionService();
const test = (title, run, needed = url) => nodeTest(title, { skip: !needed }, run);

const create = (more = {}, by = service) => by.createSession({ appName: app, userId: 'alice', ...more });
const get = ({ userId, id }, config, by = service) =>
  by.getSession({ appName: app, userId, sessionId: id, config });
const append = (session, event, by = service) => by.appendEvent({ session, event });
const ids = (session) => session.events.map((item) => item.id);
const event = (number, delta = {}, more = {}) => createEvent({
  author: 'user',
  invocationId: `i-${number}`,
  timestamp: start + number * 1000,
  content: { role: 'user', parts: [{ text: `message ${number}` }] },
  actions: createEventActions({ stateDelta: delta }),
  ...more,
});
const json = (value) => JSON.parse(JSON.stringify(value));

test('creates, reads, lists and deletes a session', async () => {
  const session = await create({ userId: 'u "1" é&+', sessionId: 'own-1', state: { k: 1, n: null, 'temp:t': 2 } });
  assert.equal(session.id, 'own-1');
  for (const { state, events, lastUpdateTime } of [session, await get(session)]) {
    assert.deepEqual([{ ...state }, events, Math.abs(Date.now() - lastUpdateTime) < 60_000], [{ k: 1, n: null }, [], true]);
  }
  await assert.rejects(create({ userId: session.userId, sessionId: 'own-1' }), { code: 'ALREADY_EXISTS' });
  const list = await service.listSessions({ appName: app, userId: session.userId });
  assert.deepEqual([list.sessions.map((item) => item.id), list.totalItems], [['own-1'], 1]);
  assert.equal(await get({ ...session, userId: 'mallory' }), undefined);
  await service.deleteSession({ appName: app, userId: 'mallory', sessionId: session.id });
  assert(await get(session));
  for (let times = 0; times < 2; times++) {
    await service.deleteSession({ appName: app, userId: session.userId, sessionId: session.id });
  }
  assert.equal(await get(session), undefined);
  await assert.rejects(append(session, event(1)), { code: 'SESSION_NOT_FOUND' });
  for (const sessionId of ['', '.', '..']) { // dots would change the path
    await assert.rejects(service.deleteSession({ appName: app, userId: 'alice', sessionId }), TypeError);
  }
});

test('creates a session once, and finds it', async () => {
  const request = { appName: app, userId: 'getter', sessionId: 'g-1', state: { k: 1 } };
  assert.equal((await service.getOrCreateSession(request)).state.k, 1);
  assert.equal((await service.getOrCreateSession({ ...request, state: {} })).state.k, 1);
});

test('lists by pages and in order', async () => {
  const made = [];
  for (let number = 0; number < 5; number++) made.push((await create({ userId: 'lister' })).id);
  const list = async (more) => {
    const { sessions, ...rest } = await service.listSessions({ appName: app, userId: 'lister', ...more });
    return { ids: sessions.map((item) => item.id), ...rest };
  };
  assert.deepEqual(await list(), { ids: made, page: 1, limit: 5, totalItems: 5, totalPages: 1 });
  assert.deepEqual(await list({ limit: 2, page: 2 }),
    { ids: made.slice(2, 4), page: 2, limit: 2, totalItems: 5, totalPages: 3 });
  assert.deepEqual((await list({ order: 'desc', limit: 2, offset: 1 })).ids, made.toReversed().slice(1, 3));
  assert((await service.listSessions({ appName: app })).totalItems >= 5);
  const fetched = globalThis.fetch;
  let pages = 0;
  globalThis.fetch = (address, options) => fetched(`${address}&limit=${++pages && 2}`, options);
  try {
    assert.deepEqual([(await list()).ids, pages], [made, 3]);
  } finally {
    globalThis.fetch = fetched;
  }
  // The stale check applies to listed sessions, too.
  const { sessions } = await service.listSessions({ appName: app, userId: 'lister' });
  await append(sessions[0], event(1));
  await append(sessions[0], event(2));
  await append(await get(sessions[1]), event(1));
  await assert.rejects(append(sessions[1], event(2)), StaleSessionError);
});

test('reads back the whole event', async () => {
  const session = await create();
  const sent = event(1, { a: { n: [1, 2.5, null] }, 'user:u': 'x', gone: null }, {
    content: {
      role: 'user',
      parts: [
        { text: 'look' },
        { inlineData: { mimeType: 'image/png', data: Buffer.from([1, 255, 254, 62, 63]).toString('base64') } },
        { functionCall: { id: 'c1', name: 'f_g', args: { some_key: null } } },
      ],
    },
    branch: 'a.b', longRunningToolIds: ['c1'], turnComplete: true, customMetadata: { own_key: { n: 1 } },
    errorCode: 'E', errorMessage: 'm', usageMetadata: { promptTokenCount: 5 }, timestamp: start + 0.25,
  });
  await append(session, sent);
  const stored = await get(session);
  assert.deepEqual(json(stored.events[0]), json(sent));
  assert.equal(stored.state.gone, null);
});

for (const by of [service, new InMemorySessionService()]) {
  test(`keeps an event without an author as it was, ${by.constructor.name}`, async () => {
    const session = await create({}, by);
    const nameless = createEvent({ id: 'nameless', timestamp: start, content: { parts: [{ text: 'Hello' }] } });
    await append(session, nameless, by);
    await append(session, event(1), by);
    const { events } = await get(session, undefined, by);
    assert.deepEqual(events.map(({ author }) => author), [undefined, 'user']);
    assert.deepEqual({ ...events[0], actions: json(events[0].actions) }, { ...nameless, actions: json(nameless.actions) });
  });
}

test('keeps small timestamps', async () => {
  const session = await create();
  await append(session, event(1, {}, { timestamp: 1500 }));
  assert.equal((await get(session)).events[0].timestamp, 1500);
});

test('reads 250 events complete and in order', async () => {
  const session = await create();
  for (let number = 0; number < 250; number++) await append(session, event(number));
  assert.deepEqual(ids(await get(session)), ids(session));
  const invocations = async (config) => (await get(session, config)).events.map((item) => item.invocationId);
  assert.deepEqual(await invocations({ numRecentEvents: 3 }), ['i-247', 'i-248', 'i-249']);
  assert.deepEqual(await invocations({ afterTimestamp: start + 248000 }), ['i-248', 'i-249']);
});

test('shares state between sessions', async () => {
  const [first, second] = [await create({ userId: 'sharer' }), await create({ userId: 'sharer' })];
  await append(first, event(1, { 'app:t': 1, 'user:u': 2, own: 3, 'temp:t': 4 }));
  assert.deepEqual((({ 'app:t': a, 'user:u': u, own }) => [a, u, own])((await get(second)).state), [1, 2, undefined]);
  assert(!('user:u' in (await create({ userId: 'other' })).state));
});

test('changes the object as the stored session changes', async () => {
  const session = await create({ userId: 'changer', state: { k: 1, removed: 1 } });
  const sent = event(1, { k: 2, 'temp:t': 4, n: null, removed: REMOVED, ['__proto__']: 5 });
  assert.equal(await append(session, sent), sent);
  const { 'app:t': _, ...state } = session.state;
  assert.deepEqual(Object.entries(state).toSorted().map(([name]) => name), ['__proto__', 'k', 'n', 'temp:t']);
  assert(!('temp:t' in session.events[0].actions.stateDelta));
  const stored = await get(session);
  assert.equal(stored.lastUpdateTime, session.lastUpdateTime);
  assert.deepEqual(json(stored.events), json(session.events));
  assert(!('removed' in stored.state) && !('temp:t' in stored.state));
  const partial = event(2, { p: 1 }, { partial: true });
  assert.equal(await append(session, partial), partial);
  assert.equal((await get(session)).events.length, 1);
  const bare = { author: 'user' };
  await append(session, bare);
  assert.equal((await get(session)).events[1].id, bare.id);
});

test('turns into text what JSON cannot say', async () => {
  const session = await create({ state: { big: 10n } });
  const circle = { name: 'c' };
  circle.self = circle;
  const delta = { nan: NaN, map: new Map([['k', new Set([1])]]), circle, f: () => 1, twice: [circle, circle], ok: true };
  await append(session, event(1, delta, {
    content: { parts: [{ functionResponse: { name: 'f', response: { n: 5n } } }] },
  }));
  const { state, events } = await get(session);
  assert.deepEqual([state.big, state.nan, state.map, state.circle, state.f, state.ok],
    ['10', 'NaN', { k: [1] }, { name: 'c', self: '[circular]' }, '() => 1', true]);
  assert.equal(state.twice[1].name, 'c');
  assert.equal(events[0].content.parts[0].functionResponse.response.n, '5');
});

test('tells the stale writer, and the repair works', async () => {
  const first = await create();
  const second = await get(first);
  await append(first, event(1));
  const late = event(2, { late: true, 'temp:x': 1 });
  await assert.rejects(append(second, late), StaleSessionError);
  assert.deepEqual([second.events.length, 'late' in second.state], [0, false]);
  await append(await get(second), late);
  assert.equal((await get(first)).events.length, 2);
  await append(first, event(3), new AgentSessionService({ checkStale: false }));
  assert.equal((await get(first)).events.length, 3);
});

test('finds a copy of a stale object stale', async () => {
  const session = await create();
  const copies = () => [
    (read) => ({ ...read, events: [...read.events], state: { ...read.state } }), structuredClone, json,
  ].map(async (copy) => copy(await get(session)));
  const foreign = () => get(session, undefined, new AgentSessionService()); // an object of another service object
  const stale = await Promise.all([...copies(), foreign()]);
  await append(session, event(1));
  for (const object of stale) {
    await assert.rejects(append(object, event(2)), StaleSessionError);
    await assert.rejects(service.rewind({ session: object, beforeInvocationId: 'i-1' }), StaleSessionError);
    assert.equal(object.events.length, 0);
  }
  for (let kind = 0; kind < stale.length; kind++) {
    const fresh = await [...copies(), foreign()][kind];
    const older = structuredClone(fresh);
    await append(fresh, event(3));
    await append(fresh, event(4));
    await append(structuredClone(fresh), event(5)); // a copy also works after an append
    await assert.rejects(append(fresh, event(6)), StaleSessionError);
    await assert.rejects(append(older, event(6)), StaleSessionError);
  }
  await append({ ...(await get(session)), lastUpdateTime: 0 }, event(7)); // made by hand: the client has read nothing
});

test('queues appends to one object', async () => {
  const session = await create();
  await Promise.all(Array.from({ length: 40 }, (_, number) => append(session, event(number))));
  assert.deepEqual(ids(session), ids(await get(session)));
  assert.deepEqual(session.events.map((item) => item.invocationId), Array.from({ length: 40 }, (_, n) => `i-${n}`));
});

test('asks for a token per user', async () => {
  const asked = [];
  const token = async (userId) => (asked.push(userId), userId === 'bob' ? 'wrong' : key);
  const perUser = new AgentSessionService({ token });
  await create({}, perUser);
  await assert.rejects(create({ userId: 'bob' }, perUser), { status: 401, code: 'UNAUTHENTICATED' });
  await perUser.listSessions({ appName: app });
  assert.deepEqual(asked, ['alice', 'bob', undefined]);
  await assert.rejects(create({}, new AgentSessionService({ apiKey: 'wrong' })), AgentSessionsError);
}, key);

test('sends again and never doubles', async () => {
  const spoil = (faults) => fetch(`${CONFORMANCE_FAULTS}/faults/${faults}`, { method: 'POST' });
  const spoilt = new AgentSessionService({ url: CONFORMANCE_FAULTS });
  const session = await create({}, spoilt);
  const faults = ['429', '503', 'unsent', 'half', 'unanswered', 'half-answered', 'unanswered,half,503'];
  for (const [number, fault] of faults.entries()) {
    await spoil(fault);
    await append(session, event(number, { n: number }), spoilt);
    assert.deepEqual(ids(await get(session)), ids(session), fault);
    await spoil(fault);
    assert.equal((await create({ state: { fault }, sessionId: crypto.randomUUID() }, spoilt)).state.fault, fault);
  }
  // A lost response does not hide an event that another writer has appended since.
  await append(await get(session), event(7));
  await spoil('unanswered');
  await assert.rejects(append(session, event(8), spoilt), StaleSessionError);
  const fresh = await get(session, undefined, spoilt);
  await spoil('unsent,unsent,unsent,unsent,unsent,unsent');
  await assert.rejects(append(fresh, event(9), spoilt), { code: 'UNAVAILABLE', message: new RegExp(CONFORMANCE_FAULTS) });
  assert.equal((await get(session)).events.length, 8);
}, CONFORMANCE_FAULTS);

/** Returns the log lines of an action. */
async function logged(t, action) {
  const { mock } = t.mock.method(console, 'warn', () => undefined);
  await action();
  mock.restore();
  return mock.calls.map(({ arguments: [text] }) => text);
}

/** Returns a port on which nothing listens. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

test('waits for a service that is away, and says so once', async (t) => {
  const port = await freePort();
  const patient = new AgentSessionService({ url: `http://127.0.0.1:${port}` });
  const lines = await logged(t, async () => {
    const created = [create({}, patient), create({}, patient)];
    while (console.warn.mock.callCount() === 0) await setTimeout(10);
    const server = createServer((client) => client.pipe(connect(Number(new URL(url).port), '127.0.0.1')).pipe(client));
    server.listen(port, '127.0.0.1');
    t.after(() => server.close());
    for (const session of await Promise.all(created)) assert(await get(session));
  });
  assert.equal(lines.length, 1, lines);
  assert.match(lines[0], new RegExp(`http://127.0.0.1:${port} could not be reached`));
});

test('names the address of a service that stays away', async (t) => {
  const address = `http://127.0.0.1:${await freePort()}/base`;
  const impatient = new AgentSessionService({ url: `${address}/`, unavailableTimeoutMillis: 300 });
  const lines = await logged(t, () => assert.rejects(create({}, impatient), (error) => {
    assert(error instanceof AgentSessionsError);
    assert.deepEqual([error.status, error.code], [0, 'UNAVAILABLE']);
    assert.match(error.message, new RegExp(`${address} could not be reached for 0.3 s: connect ECONNREFUSED`));
    return true;
  }));
  assert.equal(lines.length, 1, lines);
});

test('does not wait for what waiting cannot heal', async (t) => {
  const lines = await logged(t, async () => {
    for (const address of ['localhost:8080', 'example.com', '', 'ftp://example.com']) {
      assert.throws(() => new AgentSessionService({ url: address }), { name: 'AgentSessionsError', code: 'INVALID_ARGUMENT' });
    }
    for (const address of ['http://no-such-host.invalid', url.replace('http:', 'https:')]) {
      const error = { name: 'AgentSessionsError', code: 'UNAVAILABLE', message: new RegExp(`${address} cannot be reached`) };
      await assert.rejects(create({}, new AgentSessionService({ url: address })), error);
    }
  });
  assert.deepEqual(lines, []);
});

test('goes on after a restart of the service', async () => {
  const session = await create();
  await append(session, event(1));
  writeFileSync(CONFORMANCE_RESTART, '');
  while (existsSync(CONFORMANCE_RESTART)) await setTimeout(100);
  await append(session, event(2));
  assert.deepEqual(ids(await get(session)), ids(session));
}, CONFORMANCE_RESTART);

/** A model that calls the tool, and then returns the result of the tool. */
class Scripted extends BaseLlm {
  constructor() {
    super({ model: 'scripted' });
  }

  async* generateContentAsync({ contents }) {
    const response = contents.at(-1).parts.at(-1).functionResponse;
    const part = response ? { text: `${response.response.count} so far` } : { functionCall: { name: 'count', args: {} } };
    yield { content: { role: 'model', parts: [part] } };
  }
}

async function talk(sessionService) {
  const count = new FunctionTool({
    name: 'count',
    description: 'Counts.',
    execute: (_, { state }) => {
      const next = state.get('count', 0) + 1;
      state.set('count', next);
      state.set('user:total', next);
      state.set('nothing', null);
      state.set('temp:scratch', 'gone');
      return { count: next };
    },
  });
  const agent = new LlmAgent({ name: 'counter', model: new Scripted(), instruction: 'Count.', tools: [count], outputKey: 'answer' });
  const appName = `${app}-run`;
  const runner = new Runner({ appName, agent, sessionService });
  const { id: sessionId } = await sessionService.createSession({ appName, userId: 'talker' });
  for (let turn = 0; turn < 2; turn++) {
    const newMessage = { role: 'user', parts: [{ text: 'How many?' }] };
    for await (const item of runner.runAsync({ userId: 'talker', sessionId, newMessage })) assert(!item.errorCode, item);
  }
  const { state, events } = await sessionService.getSession({ appName, userId: 'talker', sessionId });
  // Values that differ in each run do not matter.
  return JSON.parse(JSON.stringify({ state, events }, (name, value) =>
    ['id', 'invocationId', 'timestamp'].includes(name) ? typeof value : value));
}

test('runs an agent as in memory', async () => {
  const [here, there] = [await talk(new InMemorySessionService()), await talk(service)];
  assert.equal(there.events.length, 8);
  assert.deepEqual(there, here);
});

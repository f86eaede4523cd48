// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Earlier states of a session, forks and rewinds, pending calls, watches over broken connections, and leases.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test as nodeTest } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BaseLlm, createEvent, createEventActions, LlmAgent, Runner } from '@google/adk';
import { AgentSessionService, LeaseLostError, SessionBusyError, StaleSessionError } from '@agent-sessions/adk';
import { Cutter } from './support/cutter.mjs';

const { AGENT_SESSIONS_URL: url = '', AGENT_SESSIONS_API_KEY: apiKey = '', CONFORMANCE_FAULTS = '' } = process.env;
const app = `ts-life-${crypto.randomUUID()}`;
const service = new AgentSessionService();
const other = new AgentSessionService(); // stands for another process
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const test = (title, run, needed = url) => nodeTest(title, { skip: !needed, timeout: 300_000 }, run);

const keyOf = ({ appName, userId, id }) => ({ appName, userId, sessionId: id });
const read = (session, by = service) => by.getSession(keyOf(session));
const turn = (invocationId, stateDelta = {}, more = {}) => createEvent({
  author: 'planner', invocationId, timestamp: 1_900_000_001_500, actions: createEventActions({ stateDelta }), ...more,
});
/** An event that calls a long-running tool for each id. */
const asking = (invocationId, ...longRunningToolIds) => {
  const parts = longRunningToolIds.map((id) => ({ functionCall: { id, name: 'book', args: { city: 'Rome' } } }));
  return turn(invocationId, {}, { longRunningToolIds, content: { role: 'model', parts } });
};
const append = (session, event, by = service) => by.appendEvent({ session, event });
const ids = (session) => session.events.map(({ id }) => id);
const spoil = (faults) => fetch(`${CONFORMANCE_FAULTS}/faults/${faults}`, { method: 'POST' });

async function trip(state = {}) {
  const session = await service.createSession({ appName: app, userId: 'mira', state });
  await append(session, turn('t1', { city: 'Rome', days: 3 }));
  await append(session, turn('t2', { days: 5, train: true }));
  return session;
}

test('reads a session as it was', async () => {
  const session = await trip({ city: 'Oslo' });
  const states = [];
  for (let atSeq = 0; atSeq <= 2; atSeq++) {
    const then = await service.sessionAt({ ...keyOf(session), atSeq });
    assert.deepEqual(ids(then), ids(session).slice(0, atSeq));
    states.push({ ...then.state });
  }
  assert.deepEqual(states, [{ city: 'Oslo' }, { city: 'Rome', days: 3 }, { city: 'Rome', days: 5, train: true }]);
  const newest = await service.sessionAt({ ...keyOf(session), atSeq: 2, config: { numRecentEvents: 1 } });
  assert.deepEqual(ids(newest), ids(session).slice(1));
  await assert.rejects(append(await service.sessionAt({ ...keyOf(session), atSeq: 1 }), turn('t3')), StaleSessionError);
  await assert.rejects(service.sessionAt({ ...keyOf(session), atSeq: 3 }), { code: 'INVALID_ARGUMENT' });
  assert.equal(await service.sessionAt({ ...keyOf(session), sessionId: 'none', atSeq: 0 }), undefined);
});

test('explains the state key by key', async () => {
  const session = await trip({ mood: 'open' });
  const { keys, ...now } = await service.stateAt(keyOf(session));
  assert.deepEqual(now, {
    seq: 2, lastUpdateTime: session.lastUpdateTime, sharedStateCurrent: true,
  });
  const event = { seq: 1, eventId: session.events[0].id, author: 'planner', timestamp: 1_900_000_001_500 };
  assert.deepEqual(keys.city, { scope: 'session', value: 'Rome', event });
  assert.deepEqual(keys.mood, { scope: 'session', value: 'open', event: null });
  const before = await service.stateAt({ ...keyOf(session), atSeq: 0 });
  assert.deepEqual([before.seq, Object.keys(before.keys), before.sharedStateCurrent], [0, ['mood'], false]);
  await assert.rejects(service.stateAt({ ...keyOf(session), sessionId: 'none' }), { code: 'SESSION_NOT_FOUND' });
});

test('forks a session, and the fork goes on alone', async () => {
  const session = await trip();
  const fork = await service.fork({ ...keyOf(session), beforeInvocationId: 't2', newSessionId: `${session.id}-plane` });
  assert.deepEqual([fork.id, ids(fork)], [`${session.id}-plane`, ids(session).slice(0, 1)]);
  await append(fork, turn('t2', { plane: true }));
  assert.deepEqual({ ...(await read(fork)).state }, { city: 'Rome', days: 3, plane: true });
  assert.deepEqual(ids(await read(session)), ids(session));
  assert.equal((await service.fork({ ...keyOf(session), atSeq: 0 })).events.length, 0);
  assert.deepEqual(ids(await service.fork({ ...keyOf(session), displayName: 'All of it' })), ids(session));
  await assert.rejects(service.fork({ ...keyOf(session), newSessionId: session.id }), { code: 'ALREADY_EXISTS' });
  await assert.rejects(service.fork({ ...keyOf(session), beforeInvocationId: 'x' }), { code: 'INVOCATION_NOT_FOUND' });
});

test('rewinds to the state that the session was created with, and hides from a model what was taken back', async () => {
  const session = await trip({ city: 'Oslo' });
  const event = await service.rewind({ session, beforeInvocationId: 't1' });
  assert.equal(session.events.at(-1), event);
  assert.deepEqual({ ...session.state }, { city: 'Oslo', days: null, train: null });
  assert.deepEqual({ ...(await read(session)).state }, { ...session.state });
  await append(session, turn('t3'));
  assert.deepEqual(ids(await read(session)), ids(session));
  const context = new AgentSessionService({ view: 'context' });
  assert.deepEqual(ids(await read(session, context)), ids(session).slice(3));
  await append(await read(session, context), turn('t4'), context);
  await assert.rejects(service.rewind({ session, beforeInvocationId: 't3' }), StaleSessionError);
  assert.equal(session.events.length, 4);
});

test('rewinds and forks once when the answer gets lost', async () => {
  const session = await trip();
  const spoilt = new AgentSessionService({ url: CONFORMANCE_FAULTS });
  const through = await read(session, spoilt);
  await spoil('unanswered');
  await spoilt.rewind({ session: through, beforeInvocationId: 't2' });
  await spoil('unanswered');
  const fork = await spoilt.fork({ ...keyOf(session), newSessionId: crypto.randomUUID() });
  assert.equal(through.events.length, 3);
  assert.deepEqual([ids(await read(session)), ids(fork)], [ids(through), ids(through)]);
}, CONFORMANCE_FAULTS);

test('lists a call that waits until somebody answers it', async () => {
  const session = await trip();
  assert.deepEqual(await service.pendingCalls(keyOf(session)), []);
  const { id: eventId } = await append(session, asking('t3', 'call-1'));
  const functionCall = { id: 'call-1', name: 'book', args: { city: 'Rome' } };
  const waiting = [{ eventId, seq: 3, since: session.lastUpdateTime, functionCall }];
  assert.deepEqual(await service.pendingCalls(keyOf(session)), waiting);
  const functionResponse = { id: 'call-1', name: 'book', response: { ok: true } };
  await append(session, turn('t3', {}, { author: 'user', content: { role: 'user', parts: [{ functionResponse }] } }));
  assert.deepEqual(await service.pendingCalls(keyOf(session)), []);
  await assert.rejects(service.pendingCalls({ ...keyOf(session), sessionId: 'none' }), { code: 'SESSION_NOT_FOUND' });
});

test('lists all calls that wait, the oldest first', async () => {
  const session = await trip();
  const page = Array.from({ length: 1000 }, (_, number) => `call-${1000 + number}`);
  await append(session, asking('t3', ...page));
  await append(session, asking('t4', 'a-call'));
  const waiting = await service.pendingCalls(keyOf(session));
  assert.deepEqual(waiting.map(({ functionCall: { id } }) => id), [...page, 'a-call']);
});

const seqs = (watched) => watched.map(({ seq }) => seq);

async function take(watch, count) {
  const taken = [];
  while (taken.length < count) taken.push((await watch.next()).value);
  return taken;
}

async function rest(watch) {
  const left = [];
  for await (const watched of watch) left.push(watched);
  return left;
}

async function cutting(t) {
  const cutter = await Cutter.before(url);
  t.after(() => cutter.close());
  return [cutter, new AgentSessionService({ url: cutter.url })];
}

test('watches what is there and then what comes', async () => {
  const session = await trip();
  const watch = service.watch({ ...keyOf(session), afterSeq: 0 });
  const [first, second] = await take(watch, 2);
  assert.deepEqual(seqs([first, second]), [1, 2]);
  const odd = 'line\u2028line\u0085\r\n\ud83d\ude80'.repeat(20_000);
  await append(session, turn('t3', { odd }));
  const [third] = await take(watch, 1);
  assert.deepEqual([first.event, second.event, third.event], (await read(session)).events);
  assert.equal(third.event.actions.stateDelta.odd, odd);
  await service.deleteSession(keyOf(session));
  assert.deepEqual(await rest(watch), []);
});

test('watches without missing or repeating anything when it is cut off', async (t) => {
  const [cutter, through] = await cutting(t);
  const session = await service.createSession({ appName: app, userId: 'mira' });
  const watch = through.watch(keyOf(session));
  const first = take(watch, 1);
  while (cutter.connections === 0) await setTimeout(10);
  await setTimeout(300);
  cutter.cut();
  await append(session, turn('0'));
  const seen = await first;
  for (let number = 1; number < 10; number++) {
    await append(session, turn(String(number)));
    if (number % 3 === 0) cutter.cut();
  }
  seen.push(...await take(watch, 9));
  assert.deepEqual(seqs(seen), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(seen.map(({ event }) => event), (await read(session)).events);
  await watch.return();
  while (cutter.connections > 0) await setTimeout(10);
});

test('watches nothing of a session that takes the place of the one that was watched', async (t) => {
  const [cutter, through] = await cutting(t);
  const session = await service.createSession({ appName: app, userId: 'mira' });
  await append(session, turn('one'));
  const watch = through.watch({ ...keyOf(session), afterSeq: 0 });
  await take(watch, 1);
  cutter.holds = true;
  cutter.cut();
  await service.deleteSession(keyOf(session));
  const next = await service.createSession(keyOf(session));
  await append(next, turn('two'));
  await append(next, turn('three'));
  cutter.letThrough();
  assert.deepEqual(await rest(watch), []);
});

test('ends a watch of a session that was deleted while it was cut off', async (t) => {
  const [cutter, through] = await cutting(t);
  const session = await trip();
  const watch = through.watch({ ...keyOf(session), afterSeq: 0 });
  await take(watch, 2);
  cutter.holds = true;
  cutter.cut();
  await service.deleteSession(keyOf(session));
  cutter.letThrough();
  assert.deepEqual(await rest(watch), []);
});

test('tells that something cannot be watched', async () => {
  const session = await trip();
  await assert.rejects(service.watch({ ...keyOf(session), sessionId: 'none' }).next(), { code: 'SESSION_NOT_FOUND' });
  await assert.rejects(service.watch({ ...keyOf(session), afterSeq: 7 }).next(), { code: 'INVALID_ARGUMENT' });
  const away = new AgentSessionService({ url: 'http://no-such-host.invalid' });
  await assert.rejects(away.watch(keyOf(session)).next(), { code: 'UNAVAILABLE', message: /http:\/\/no-such-host/ });
});

test('ends a watch and its connection, also while it waits', async (t) => {
  const [cutter, through] = await cutting(t);
  const session = await trip();
  const watch = through.watch({ ...keyOf(session), afterSeq: 2 });
  const waiting = watch.next();
  while (!cutter.sent.includes('events:watch')) await setTimeout(10);
  assert.equal((await watch.return()).done, true);
  assert.equal((await waiting).done, true);
  while (cutter.connections > 0) await setTimeout(10);
  await through.watch(keyOf(session)).return();
  const another = through.watch({ ...keyOf(session), afterSeq: 0 });
  await take(another, 1);
  await another[Symbol.asyncDispose]();
  while (cutter.connections > 0) await setTimeout(10);
});

test('ends a watch when it is told to', async () => {
  const session = await trip();
  const stop = new AbortController();
  const watch = service.watch({ ...keyOf(session), signal: stop.signal });
  const nothing = watch.next();
  await setTimeout(200);
  stop.abort(new Error('enough'));
  await assert.rejects(nothing, /enough/);
  assert.equal((await watch.next()).done, true);
  await assert.rejects(service.watch({ ...keyOf(session), signal: AbortSignal.abort(new Error('no')) }).next(), /no/);
});

test('waits as long as a busy service says, and goes on when a token has ended', async (t) => {
  const asked = [];
  const times = [];
  const server = createServer((request, response) => {
    times.push(Date.now());
    asked.push([new URL(request.url, 'http://x').searchParams.get('afterSeq'), request.headers['last-event-id']]);
    if (asked.length === 1) return response.writeHead(503, { 'Retry-After': '1' }).end();
    response.writeHead(200, { 'Content-Type': 'text/event-stream', ETag: '"1.abc"' });
    if (asked.length === 2) {
      response.write('retry: 1000\nid: 4\n\n:\n\nid: 5.17\ndata: {"author":"a"}\n\nid: 6.18\ndata: {"author');
      return response.end();
    }
    const reason = asked.length === 3 ? 'CREDENTIALS_EXPIRED' : 'SESSION_EXPIRED';
    response.end(`event: end\ndata: {"reason":"${reason}"}\n\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const tokens = [];
  const scripted = new AgentSessionService({
    url: `http://127.0.0.1:${server.address().port}`, token: (userId) => (tokens.push(userId), 'token'),
  });
  const seen = await rest(scripted.watch({ appName: app, userId: 'mira', sessionId: 's' }));
  assert.deepEqual([seqs(seen), asked], [[5], [[null, undefined], [null, undefined], ['5', '5.17'], ['5', '5.17']]]);
  assert(times[1] - times[0] >= 1000, times);
  assert.deepEqual(tokens, Array(4).fill('mira'));
});

test('lets one turn in at a time', async () => {
  const session = await trip();
  const lease = await service.acquire({ session, holder: 'worker-7' });
  await assert.rejects(other.acquire({ session: await read(session, other) }), (busy) => {
    assert(busy instanceof SessionBusyError);
    assert.match(busy.holder, /^worker-7:/);
    assert(busy.retryAfter > 0 && busy.retryAfter <= 60_000);
    assert(Math.abs(busy.expireTime - Date.now()) < 120_000);
    return true;
  });
  await append(session, turn('t3'));
  await lease.release();
  await lease.release();
  await append(session, turn('t4'));
  const stale = await read(session, other);
  await append(session, turn('t5'));
  await assert.rejects(other.acquire({ session: stale }), StaleSessionError);
  await assert.rejects(other.acquire({ session: structuredClone(stale) }), StaleSessionError);
  await (await other.acquire({ session: await read(session, other) })).release();
});

test('sends the lease with what a turn appends, whatever object it reads for it', async (t) => {
  const [cutter, through] = await cutting(t);
  const session = await through.createSession({ appName: app, userId: 'mira' });
  const lease = await through.acquire({ session, exclusive: true });
  await append(session, turn('t1', { k: 1 }), through);
  await append(await read(session, through), turn('t2'), through);
  await through.rewind({ session: await read(session, through), beforeInvocationId: 't2' });
  await assert.rejects(append(await read(session, other), turn('t3'), other), SessionBusyError);
  await lease.release();
  await append(await read(session, other), turn('t4'), other);
  await append(await read(session, through), turn('t5'), through);
  const posts = [...cutter.sent.matchAll(/POST (\S+) [\s\S]*?\r\n\r\n/g)].map(([head, path]) =>
    [path.slice(path.lastIndexOf('/') + 1).replace(/^.*:|\?.*$/g, ''), /^lease: (\d+)/mi.exec(head)?.[1]]);
  const number = String(lease.number);
  assert.deepEqual(posts, [['sessions', undefined], ['acquire', undefined], ['events', number], ['events', number],
    ['rewind', number], ['release', number], ['events', undefined]]);
});

test('renews the lease until it is released', async () => {
  const session = await trip();
  const lease = await service.acquire({ session, ttl: 4000 });
  await setTimeout(9000);
  await assert.rejects(other.acquire({ session: await read(session, other) }), SessionBusyError);
  await append(session, turn('t3'));
  await lease[Symbol.asyncDispose]();
  await setTimeout(600);
  assert.equal(lease.signal.aborted, false);
  await (await other.acquire({ session: await read(session, other) })).release();
});

test('tells the turn that has lost its lease, and stores nothing', async (t) => {
  const [cutter, through] = await cutting(t);
  const session = await read(await trip(), through);
  const lease = await through.acquire({ session, ttl: 1000 });
  cutter.holds = true;
  cutter.cut();
  await setTimeout(1300);
  const next = await other.acquire({ session: await read(session, other) });
  cutter.letThrough();
  await assert.rejects(append(session, turn('late'), through), LeaseLostError);
  while (!lease.signal.aborted) await setTimeout(50);
  assert(lease.signal.reason instanceof LeaseLostError);
  await lease.release();
  await append(await read(session, other), turn('t3'), other);
  await next.release();
  assert.equal((await read(session)).events.length, 3);
});

/** A model that says yes after `said` resolves. */
class Slow extends BaseLlm {
  calls = 0;

  constructor(said = Promise.resolve()) {
    super({ model: 'slow' });
    this.said = said;
  }

  async* generateContentAsync() {
    this.calls++;
    await this.said;
    yield { content: { role: 'model', parts: [{ text: 'Yes.' }] } };
  }
}

test('answers one message at a time, as the page has it', async () => {
  const [, code] = /```js\n(async function\* answer[\s\S]*?)```/.exec(readme);
  const answer = new Function(`return ${code}`)();
  const session = await service.createSession({ appName: app, userId: 'mira' });
  const run = async (sessionService, model) => {
    const runner = new Runner({ appName: app, agent: new LlmAgent({ name: 'agent', model }), sessionService });
    const said = [];
    const message = { role: 'user', parts: [{ text: 'Hm?' }] };
    for await (const { content } of answer(sessionService, runner, keyOf(session), message)) {
      said.push(content.parts[0].text);
    }
    return said;
  };
  let say;
  const slow = new Slow(new Promise((resolve) => (say = resolve)));
  const first = run(service, slow);
  while (slow.calls === 0) await setTimeout(10);
  const second = new Slow();
  await assert.rejects(run(other, second), SessionBusyError);
  assert.equal(second.calls, 0);
  say();
  assert.deepEqual(await first, ['Yes.']);
  assert.deepEqual(await run(other, second), ['Yes.']);
  assert.equal((await read(session)).events.length, 4);
});

test('runs the program of the page', async () => {
  const program = new URL('../examples/life.mjs', import.meta.url);
  assert(readme.includes(`\`\`\`js\n${readFileSync(program, 'utf8')}\`\`\``));
  const { stdout } = await promisify(execFile)(process.execPath, [program.pathname], {
    env: { ...process.env, AGENT_SESSIONS_URL: url, AGENT_SESSIONS_API_KEY: apiKey },
  });
  assert(readme.includes(`\`\`\`text\n${stdout}\`\`\``), stdout);
});

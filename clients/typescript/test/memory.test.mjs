// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// The memory service: directly, and with ADK's memory tools, against a running service.
import assert from 'node:assert/strict';
import { test as nodeTest } from 'node:test';
import { BaseLlm, createEvent, LlmAgent, LOAD_MEMORY, PRELOAD_MEMORY, Runner } from '@google/adk';
import { AgentSessionMemoryService, AgentSessionService } from '@agent-sessions/adk';

const url = process.env.AGENT_SESSIONS_URL;
const service = new AgentSessionService();
const memory = new AgentSessionMemoryService({ limit: 10 });
const test = (title, run) => nodeTest(title, { skip: !url }, () => run({ appName: `ts-${crypto.randomUUID()}`, userId: 'alice' }));

const content = (text) => ({ role: 'user', parts: [{ text }] });
const said = (text, author = 'user', more = {}) => createEvent({ author, content: content(text), ...more });
const textOf = ({ content: { parts } }) => parts.map(({ text }) => text).join('');
const search = async (key, query, by = memory) => (await by.searchMemory({ ...key, query })).memories;
const found = async (key, query, by) => (await search(key, query, by)).map(textOf);

/** Counts the requests of an action. */
async function requests(action) {
  const fetched = globalThis.fetch;
  const sent = [];
  globalThis.fetch = (address, options) => (sent.push([address, options]), fetched(address, options));
  try {
    await action();
  } finally {
    globalThis.fetch = fetched;
  }
  return sent;
}

test('finds what was said with the turns around it', async (key) => {
  const session = await service.createSession({ ...key, sessionId: 's1' });
  const turns = [said('Where do we stay?'), said('In Kyoto, near the river', 'agent', { timestamp: 1000.5e3 }), said('Fine')];
  for (const event of turns) await service.appendEvent({ session, event });
  const other = await service.createSession({ ...key, sessionId: 's2' });
  await service.appendEvent({ session: other, event: said('Hello') });
  await memory.addSessionToMemory(session);
  const [entry, ...others] = await search(key, 'kyoto');
  assert.deepEqual(others, []);
  assert.equal(textOf(entry), 'user: Where do we stay?\nagent: In Kyoto, near the river\nuser: Fine');
  assert.deepEqual([entry.author, entry.timestamp], ['agent', '1970-01-01T00:16:40.500Z']);
  const { score, ...origin } = entry.customMetadata;
  assert(score > 0 && score <= 1);
  assert.deepEqual(origin, { session_id: 's1', event_id: turns[1].id, seq: 2 });
  assert.deepEqual(await found(key, 'kyoto', new AgentSessionMemoryService({ around: 0 })), ['In Kyoto, near the river']);
  assert.deepEqual((await memory.searchMemory({ ...key, query: 'kyoto', exceptSessionId: 's1' })).memories, []);
  assert.deepEqual(await found({ ...key, userId: 'bob' }, 'kyoto'), []);
});

test('returns five memories unless told otherwise', async (key) => {
  const session = await service.createSession(key);
  for (let number = 0; number < 7; number++) await service.appendEvent({ session, event: said(`tea number ${number}`) });
  assert.equal((await search(key, 'tea', new AgentSessionMemoryService())).length, 5);
  assert.equal((await search(key, 'tea', new AgentSessionMemoryService({ limit: 2 }))).length, 2);
});

test('takes every query', async (key) => {
  const session = await service.createSession(key);
  await service.appendEvent({ session, event: said('Likes tea') });
  const blank = await requests(async () => {
    for (const query of ['', '  \n', undefined]) assert.deepEqual(await search(key, query), []);
  });
  assert.deepEqual(blank, []);
  for (const query of ['!!!', '"', '+ - | ( )', '\ud800', 'a\0b', 'x'.repeat(3000), '\u{1F375}'.repeat(1500)]) {
    assert.deepEqual(await found(key, query), [], query);
  }
  const [[, { body }]] = await requests(() => found(key, ` ${'\u{1F375}'.repeat(1500)}`));
  assert.equal(JSON.parse(body).q, ` ${'\u{1F375}'.repeat(999)}`); // no half of a pair
  assert.deepEqual(await found(key, `tea ${'x'.repeat(3000)}`), ['Likes tea']);
});

test('forgets an event and deletes a fact', async (key) => {
  const session = await service.createSession(key);
  await service.appendEvent({ session, event: said('My code is 1234', 'agent') });
  const fact = {
    id: 'm1', content: content('Likes tea'), author: 'alice', timestamp: '2026-01-02T03:04:05.000Z',
    customMetadata: { colour: 'red' },
  };
  for (let times = 0; times < 2; times++) await memory.addMemory({ ...key, memories: [fact], customMetadata: { by: 'agent' } });
  const memories = await search(key, 'tea 1234');
  assert.deepEqual(memories.map(textOf).toSorted(), ['Likes tea', 'My code is 1234']);
  const { customMetadata: { score, ...metadata }, ...rest } = memories.find(({ id }) => id === 'm1');
  assert(score > 0);
  assert.deepEqual([{ ...rest, customMetadata: metadata }], [{ ...fact, customMetadata: { colour: 'red', by: 'agent' } }]);
  await memory.addMemory({ ...key, memories: [{ content: content('Likes oolong') }] });
  assert.deepEqual(await found(key, 'oolong, please'), ['Likes oolong']);
  for (const { id } of memories) await memory.deleteMemory({ ...key, memoryId: id });
  assert.deepEqual(await found(key, 'tea 1234'), []);
  assert.equal((await service.getSession({ ...key, sessionId: session.id })).events.length, 1);
});

test('stores events of other session services once', async (key) => {
  const thought = { role: 'model', parts: [{ text: 'secret', thought: true }, { text: ' ' }] };
  const events = [
    said('Likes tea', 'user', { id: 'é\u007f\u{1F375}' }), said('Likes tea, too'),
    createEvent({ id: 'e2', author: 'agent', content: thought }), createEvent({ id: 'e3', author: 'agent' }),
  ];
  events[1].id = ''; // ADK gives an event its id when it is appended
  for (let times = 0; times < 2; times++) {
    await memory.addSessionToMemory({ ...key, id: 'elsewhere', events, state: {}, lastUpdateTime: 0 });
  }
  const memories = await search(key, 'tea secret');
  assert.deepEqual(memories.map(textOf).toSorted(), ['Likes tea', 'Likes tea, too']);
  const [first] = memories.filter((entry) => textOf(entry) === 'Likes tea');
  assert.deepEqual([first.customMetadata.session_id, first.customMetadata.event_id], ['elsewhere', events[0].id]);
  assert.equal(first.id, 'c369b7a7-5d19-52d2-8d3d-736b44970e15'); // that of the Python client
  await memory.addEventsToMemory({ ...key, events: [said('Drinks coffee')], customMetadata: { by: 'agent' } });
  const [other] = await search(key, 'coffee');
  assert.deepEqual([textOf(other), other.customMetadata.by], ['Drinks coffee', 'agent']);
});

test('ignores an event whose id is there with another text, and stores the rest', async (key) => {
  const tea = { ...said('Likes tea'), id: 'e1' };
  await memory.addEventsToMemory({ ...key, sessionId: 'elsewhere', events: [tea] });
  const events = [{ ...said('Likes coffee'), id: 'e1' }, { ...said('Likes cake'), id: 'e2' }];
  await memory.addEventsToMemory({ ...key, sessionId: 'elsewhere', events });
  await memory.addSessionToMemory({ ...key, id: 'elsewhere', events, state: {}, lastUpdateTime: 0 });
  assert.deepEqual((await found(key, 'likes tea coffee cake')).toSorted(), ['Likes cake', 'Likes tea']);
});

/** A model that looks into memory if it can, and records what reaches it. */
class AskingModel extends BaseLlm {
  seen = [];

  constructor() {
    super({ model: 'asking' });
  }

  async *generateContentAsync(request) {
    this.seen.push(JSON.stringify([request.contents, request.config.systemInstruction]));
    const asked = !request.toolsDict.load_memory || request.contents.at(-1).parts.at(-1).functionResponse;
    const call = { id: 'c', name: 'load_memory', args: { query: 'Where do we stay, in Kyoto?' } };
    yield { content: { role: 'model', parts: [asked ? { text: 'I see.' } : { functionCall: call }] } };
  }
}

for (const tool of [LOAD_MEMORY, PRELOAD_MEMORY]) {
  test(`an agent with ${tool.name} knows what was said in an earlier session`, async (key) => {
    const model = new AskingModel();
    const agent = new LlmAgent({ name: 'guide', model, instruction: 'Help.', tools: [tool] });
    const runner = new Runner({ appName: key.appName, agent, sessionService: service, memoryService: new AgentSessionMemoryService() });
    for (const [sessionId, text] of [['s1', 'We stay in Kyoto, near the river'], ['s2', 'Where do we stay, in Kyoto?']]) {
      await service.createSession({ ...key, sessionId });
      for await (const event of runner.runAsync({ ...key, sessionId, newMessage: content(text) })) assert(!event.errorCode);
    }
    const remembered = model.seen.at(-1);
    assert.match(remembered, /user: We stay in Kyoto, near the river\\nguide: I see\./);
    // The question is there as the message itself, and as the argument of the call.
    assert.equal(remembered.split('Where do we stay, in Kyoto?').length - 1, tool === LOAD_MEMORY ? 2 : 1);
  });
}

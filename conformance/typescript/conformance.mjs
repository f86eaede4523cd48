// Uses the session service of the published @google/adk against a running service.
//
// Usage: node conformance.mjs before|after, where the service is restarted in between.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const url = process.env.AGENT_SESSIONS_URL;
const engine = process.env.CONFORMANCE_ENGINE;
const languages = (process.env.CONFORMANCE_LANGUAGES ?? 'typescript').split(' ');
const phase = process.argv[2];
const oddUser = 'u "1" é&+';
const pixel = Buffer.from([1, 2, 3, 4, 255, 254, 253, 62, 63]).toString('base64');
const start = Date.parse('2026-01-01T00:00:00.123Z');

/** A credential file whose token comes from the service's own token endpoint. */
function useCredentialsWithoutGoogle() {
  const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  const token = join(folder, 'token');
  writeFileSync(token, process.env.AGENT_SESSIONS_TOKEN ?? 'any-token');
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify({
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${url}/sts/token`,
    credential_source: { file: token },
  }));
  process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, 'credentials.json');
  process.env.GOOGLE_CLOUD_PROJECT ??= 'my-project'; // else it is looked up at Google
}

useCredentialsWithoutGoogle();
const { createEvent, createEventActions, VertexAiMemoryBankService } = await import('@google/adk');
const { Client } = await import('@google-cloud/vertexai');
const { agentSessions, main } = await import('./quickstart.mjs');
const service = agentSessions(url, engine);

const memories = new VertexAiMemoryBankService({
  projectId: 'my-project', location: 'local', agentEngineId: engine,
  client: new Client({ project: 'my-project', location: 'local', apiEndpoint: url }),
});
const found = async (userId, query) => (await memories.searchMemory({ appName: engine, userId, query }))
  .memories.map((entry) => entry.content.parts[0].text).sort();

const create = (userId = 'alice', more = {}) => service.createSession({ appName: engine, userId, ...more });
const find = (sessionId, userId, config) => service.getSession({ appName: engine, userId, sessionId, config });
const get = (session, config) => find(session.id, session.userId, config);
const ids = async (userId) => (await service.listSessions({ appName: engine, userId })).sessions.map((s) => s.id);

const event = (number, { delta = {}, parts, ...more } = {}) => createEvent({
  author: 'user',
  invocationId: `i-${number}`,
  timestamp: start + number * 1000,
  content: { role: 'user', parts: parts ?? [{ text: `message ${number}` }] },
  actions: createEventActions({ stateDelta: delta }),
  ...more,
});

const before = {
  async 'creates, reads, lists and deletes a session'() {
    const session = await create('lifecycle', { state: { k: 1, 'temp:t': 2 } });
    for (const { state } of [session, await get(session)]) {
      assert.deepEqual([state.k, 'temp:t' in state], [1, false]);
    }
    assert((await ids('lifecycle')).includes(session.id));
    await service.deleteSession({ appName: engine, userId: 'lifecycle', sessionId: session.id });
    assert.equal(await get(session), undefined);
  },

  async 'keeps the id that was asked for'() {
    assert.equal((await create('alice', { sessionId: 'own-typescript' })).id, 'own-typescript');
    await assert.rejects(create('alice', { sessionId: 'own-typescript' }));
  },

  async 'reads back the whole event'() {
    const session = await create();
    const sent = event(1, {
      delta: { a: { n: [1, 2.5, null] }, 'user:u': 'x' },
      parts: [
        { text: 'look' },
        { inlineData: { mimeType: 'image/png', data: pixel } },
        { functionCall: { id: 'c1', name: 'f_g', args: { some_key: null } } },
      ],
      branch: 'a.b', longRunningToolIds: ['c1'], turnComplete: true, customMetadata: { own_key: { n: 1 } },
      errorCode: 'E', errorMessage: 'm', usageMetadata: { promptTokenCount: 5 },
    });
    await service.appendEvent({ session, event: sent });
    const stored = (await get(session)).events[0];
    for (const field of ['author', 'invocationId', 'timestamp', 'content', 'branch', 'longRunningToolIds',
      'turnComplete', 'customMetadata', 'errorCode', 'errorMessage', 'usageMetadata']) {
      assert.deepEqual(stored[field], sent[field], field);
    }
    assert.deepEqual(stored.actions.stateDelta, { ...sent.actions.stateDelta });
  },

  async 'reads 250 events complete and in order'() {
    const session = await create();
    for (let number = 0; number < 250; number++) {
      await service.appendEvent({ session, event: event(number) });
    }
    const invocations = async (config) => (await get(session, config)).events.map((item) => item.invocationId);
    assert.deepEqual(await invocations(), Array.from({ length: 250 }, (_, number) => `i-${number}`));
    assert.deepEqual(await invocations({ numRecentEvents: 3 }), ['i-247', 'i-248', 'i-249']);
    assert.deepEqual((await invocations({ afterTimestamp: start + 248000 })).slice(-1), ['i-249']);
  },

  async 'shares state between sessions'() {
    const [first, second, other] = [await create('sharing-ts'), await create('sharing-ts'), await create('other-ts')];
    const delta = { 'app:t': 1, 'user:u': 2, own: 3, 'temp:t': 4 };
    await service.appendEvent({ session: first, event: event(1, { delta }) });
    const { state } = await get(second);
    assert.deepEqual([state['app:t'], state['user:u'], 'own' in state], [1, 2, false]);
    assert(!('user:u' in (await get(other)).state));
    assert(!('temp:t' in (await get(first)).state));
  },

  async 'keeps null and removes a key with the mark'() {
    const session = await create('alice', { state: { k: 1, 'user:gone': 1, first: null } });
    const delta = { k: null, 'user:gone': '__ADK_SENTINEL_REMOVED__', kept: { n: null } };
    await service.appendEvent({ session, event: event(1, { delta }) });
    const stored = await get(session);
    assert.deepEqual([stored.state.k, stored.state.first, 'user:gone' in stored.state], [null, null, false]);
    assert.deepEqual(stored.state.kept, { n: null });
    assert.deepEqual(stored.events[0].actions.stateDelta, delta);
  },

  async 'finds the sessions of a user with an odd name'() {
    const session = await create(oddUser);
    assert.equal((await get(session)).userId, oddUser);
    assert((await ids(oddUser)).includes(session.id));
    assert(!(await ids(oddUser)).includes((await create()).id));
  },

  async 'hides sessions of somebody else'() {
    const session = await create();
    await assert.rejects(find(session.id, 'mallory'));
    await assert.rejects(service.deleteSession({ appName: engine, userId: 'mallory', sessionId: session.id }));
    assert(await get(session));
  },

  async 'misses what is not there'() {
    assert.equal(await find('none', 'alice'), undefined);
    await service.deleteSession({ appName: engine, userId: 'alice', sessionId: 'none' });
    const gone = await create();
    await service.deleteSession({ appName: engine, userId: 'alice', sessionId: gone.id });
    await assert.rejects(service.appendEvent({ session: gone, event: event(1) }));
  },

  async 'ends a session after its ttl'() {
    const session = await create('alice', { ttl: '2s' });
    assert(await get(session));
    await new Promise((resolve) => setTimeout(resolve, 2100));
    assert.equal(await get(session), undefined);
  },

  async 'remembers a session without doubles'() {
    const session = await create('remembered-ts');
    const parts = [{ text: 'We stay in Kyoto in May' }];
    await service.appendEvent({ session, event: event(1, { parts }) });
    await memories.addSessionToMemory(await get(session));
    assert.deepEqual(await found('remembered-ts', 'When do we stay in Kyoto?'), ['We stay in Kyoto in May']);
  },

  async 'remembers events of sessions that are elsewhere'() {
    const events = [event(1, { parts: [{ text: 'I like green tea' }] })];
    const request = { appName: engine, userId: 'elsewhere-ts', events };
    await memories.addEventsToMemory(request);
    await memories.addEventsToMemory({ ...request, customMetadata: { revisionTtl: '60s', source: 'chat' } });
    assert.deepEqual(await found('elsewhere-ts', 'Which tea?'), ['I like green tea']);
  },

  async 'remembers facts'() {
    const entries = (...texts) => texts.map((text) => ({ content: { role: 'user', parts: [{ text }] } }));
    const alice = { appName: engine, userId: 'facts-ts' };
    await memories.addMemory({ ...alice, memories: entries('Likes oolong tea'), customMetadata: { some_key: 'red' } });
    const customMetadata = { enable_consolidation: true };
    for (let round = 0; round < 2; round++) {
      await memories.addMemory({ ...alice, memories: entries('Owns a tea pot', 'likes oolong tea!'), customMetadata });
    }
    assert.deepEqual(await found('facts-ts', 'Which oolong?'), ['Likes oolong tea']);
    assert.deepEqual(await found('facts-ts', 'Which tea?'), ['Likes oolong tea', 'Owns a tea pot']);
  },

  'runs the program of the documentation': main,

  async 'leaves something for the other languages'() {
    const session = await create('shared', { sessionId: 'shared-typescript' });
    const delta = { 'app:from-typescript': 't', 'user:from-typescript': 't' };
    const parts = [{ text: 'from typescript' }, { inlineData: { mimeType: 'image/png', data: pixel } }];
    await service.appendEvent({ session, event: event(1, { delta, parts }) });
  },
};

const after = {
  async 'finds facts after a restart'() {
    assert.deepEqual(await found('facts-ts', 'Which oolong?'), ['Likes oolong tea']);
  },

  async 'reads what the other languages left'() {
    const parts = [];
    for (const id of await ids('shared')) {
      const session = await find(id, 'shared');
      for (const language of languages) {
        assert.equal(session.state[`app:from-${language}`], language[0]);
        assert.equal(session.state[`user:from-${language}`], language[0]);
      }
      // A tool call of Rust has no content for this client, which reads nothing but the raw copy.
      parts.push(...session.events.flatMap((item) => item.content?.parts ?? []));
    }
    const texts = parts.map((part) => part.text);
    languages.forEach((language) => assert(texts.includes(`from ${language}`), language));
    const blobs = parts.flatMap((part) => part.inlineData?.data ?? []);
    assert(blobs.length > 0);
    blobs.forEach((blob) => assert.deepEqual(Buffer.from(blob, 'base64url'), Buffer.from(pixel, 'base64')));
  },
};

let passed = 0;
let failed = 0;
for (const [title, run] of Object.entries(phase === 'before' ? before : after)) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED typescript: ${title}`, error);
  }
}
console.log(`typescript @google/adk 2.0.0 (${phase}): ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

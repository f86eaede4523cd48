// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Tests of requests, credentials and retries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentSessionsError, Connection } from '../dist/index.js';
import { namesIn, sessionName } from '../dist/connection.js';

const PATH = ['apps', 'a b', 'users', 'users/1'];
const url = 'http://service/';

/** Returns a list for the requests, and a `fetch` that responds to them in this order. */
function answering(...responses) {
  const seen = [];
  const answer = async (address, request) => {
    seen.push({ address, ...request });
    const response = responses[seen.length - 1];
    if (response instanceof Error) throw response;
    return response;
  };
  return { seen, fetch: answer };
}

const lost = () => new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });

test('each request has the token of the moment', async () => {
  const { seen, fetch } = answering(new Response(), new Response());
  const tokens = ['first', 'second'];
  const connection = new Connection({ url, apiKey: async () => tokens.shift(), fetch });
  await connection.send('GET', PATH);
  await connection.send('GET', PATH);
  assert.deepEqual(seen.map(({ headers }) => headers.Authorization), ['Bearer first', 'Bearer second']);
  assert.equal(seen[0].address, 'http://service/apps/a%20b/users/users%2F1?');
});

test('a busy service and a lost response get the same request again', async () => {
  const { seen, fetch } = answering(new Response('', { status: 503 }), lost(), new Response());
  await new Connection({ url, apiKey: 'key', fetch }).send('POST', PATH, ':rewind', { body: { eventId: '1' } });
  assert.deepEqual(seen.map(({ body }) => body), Array(3).fill('{"eventId":"1"}'));
});

test('it gives up in time and says why', async () => {
  const body = JSON.stringify({ detail: 'Please retry later', code: 'UNAVAILABLE' });
  const { fetch } = answering(new Response(body, { status: 503, headers: { 'Retry-After': '9' } }));
  const expected = { message: 'Please retry later', status: 503, code: 'UNAVAILABLE' };
  await assert.rejects(new Connection({ url, retryFor: 1_000, fetch }).send('GET', PATH), expected);
  const away = new Connection({ url, retryFor: 0, fetch: answering(lost()).fetch });
  await assert.rejects(away.send('GET', PATH), { message: 'No answer from http://service: read ECONNRESET' });
});

test('a refusal is not repeated', async () => {
  const refused = new Response(JSON.stringify({ detail: 'No', code: 'FORBIDDEN' }), { status: 403 });
  const { seen, fetch } = answering(refused);
  await assert.rejects(new Connection({ url, fetch }).send('GET', PATH), { message: 'No' });
  assert.equal(seen.length, 1);
});

test('an error that no retry can heal is thrown at once', async () => {
  await assert.rejects(new Connection({ url, apiKey: 'a\nb' }).send('GET', PATH), TypeError);
});

test('a name that changes the path is refused', async () => {
  for (const name of ['', '.', '..', ' ']) {
    await assert.rejects(new Connection({ url }).send('GET', ['apps', name]), AgentSessionsError);
  }
  assert.throws(() => sessionName('\ud800'), AgentSessionsError);
});

test('an id has the names from which it is made', () => {
  const names = ['a/b', 'a~2fb', 'a:b', '..', 'é\n%;\\', 'plain-1', '日本 🗻', 'a\u2028b'];
  assert.equal(sessionName('team/1', '..'), 'team~2f1:~2e~2e');
  assert.deepEqual(namesIn(sessionName(...names)), names);
});

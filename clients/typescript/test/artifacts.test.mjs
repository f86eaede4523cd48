// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// The artifact service, against a running service. What ADK's own service in memory does as well is tried with both.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { test as nodeTest } from 'node:test';
import { InMemoryArtifactService } from '@google/adk';
import { AgentSessionArtifactService } from '@agent-sessions/adk';

const url = process.env.AGENT_SESSIONS_URL;
const ours = new AgentSessionArtifactService();
const png = (...bytes) => ({ inlineData: { mimeType: 'image/png', data: Buffer.from(bytes).toString('base64') } });
const test = (title, run, artifacts = ours) => nodeTest(title, { skip: !url }, () =>
  run({ appName: `ts-${crypto.randomUUID()}`, userId: 'alice', sessionId: 's1' }, artifacts));
const testBoth = (title, run) => {
  test(title, run);
  test(`${title}, in memory`, run, new InMemoryArtifactService());
};

testBoth('versions begin with 0 and load', async (place, artifacts) => {
  const parts = [png(1), png(0xfb, 0xef, 0xff), { inlineData: { mimeType: 'text/plain', data: 'eA==' } }];
  for (const [number, artifact] of parts.entries()) {
    assert.equal(await artifacts.saveArtifact({ ...place, filename: 'a', artifact }), number);
  }
  for (const [version, artifact] of parts.entries()) {
    assert.deepEqual(await artifacts.loadArtifact({ ...place, filename: 'a', version }), artifact);
  }
  assert.deepEqual(await artifacts.loadArtifact({ ...place, filename: 'a' }), parts[2]);
  assert.equal(await artifacts.loadArtifact({ ...place, filename: 'a', version: 3 }), undefined);
  assert.deepEqual(await artifacts.listVersions({ ...place, filename: 'a' }), [0, 1, 2]);
});

testBoth('a version that cannot exist is absent', async (place, artifacts) => {
  for (const filename of ['a', 'user:a']) {
    await artifacts.saveArtifact({ ...place, filename, artifact: png(1) });
    for (const version of [-1, 1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 40, 1e30, Number.NaN, Infinity]) {
      assert.equal(await artifacts.loadArtifact({ ...place, filename, version }), undefined, String(version));
      assert.equal(await artifacts.getArtifactVersion({ ...place, filename, version }), undefined, String(version));
    }
  }
});

testBoth('a text comes back as a text', async (place, artifacts) => {
  const artifact = { text: 'Grüße "an alle" 😀' };
  await artifacts.saveArtifact({ ...place, filename: 'folder/t', artifact });
  assert.deepEqual(await artifacts.loadArtifact({ ...place, filename: 'folder/t' }), artifact);
});

testBoth('nothing is there before a save and after a deletion', async (place, artifacts) => {
  const nothing = async () => {
    assert.equal(await artifacts.loadArtifact({ ...place, filename: 'a' }), undefined);
    assert.deepEqual(await artifacts.listArtifactKeys(place), []);
    assert.deepEqual(await artifacts.listVersions({ ...place, filename: 'a' }), []);
  };
  await nothing();
  await artifacts.deleteArtifact({ ...place, filename: 'a' });
  await artifacts.saveArtifact({ ...place, filename: 'a', artifact: png(1) });
  await artifacts.deleteArtifact({ ...place, filename: 'a' });
  await nothing();
});

testBoth('an artifact of the user is there in all sessions', async (place, artifacts) => {
  await artifacts.saveArtifact({ ...place, filename: 'user:photo', artifact: png(1) });
  await artifacts.saveArtifact({ ...place, filename: 'own', artifact: png(2) });
  const other = { ...place, sessionId: 's2' };
  assert.deepEqual(await artifacts.loadArtifact({ ...other, filename: 'user:photo' }), png(1));
  assert.equal(await artifacts.loadArtifact({ ...other, filename: 'own' }), undefined);
  assert.deepEqual((await artifacts.listArtifactKeys(place)).sort(), ['own', 'user:photo']);
});

testBoth('a large file with a name for people comes back', async (place, artifacts) => {
  const data = Buffer.alloc(13_000_000, 'x').toString('base64');
  const artifact = { inlineData: { mimeType: 'image/png', data, displayName: 'Grüße & mehr.png' } };
  await artifacts.saveArtifact({ ...place, filename: 'a', artifact });
  assert.deepEqual(await artifacts.loadArtifact({ ...place, filename: 'a' }), artifact);
});

test('metadata comes back', async (place, artifacts) => {
  const customMetadata = { source: 'Straße', n: { m: 1 } };
  await artifacts.saveArtifact({ ...place, filename: 'a', artifact: png(1), customMetadata });
  await artifacts.saveArtifact({ ...place, filename: 'a', artifact: { text: 'x' }, customMetadata });
  const [first, second] = await artifacts.listArtifactVersions({ ...place, filename: 'a' });
  assert.deepEqual([first.version, first.mimeType, first.customMetadata], [0, 'image/png', customMetadata]);
  assert.deepEqual(second.customMetadata, customMetadata);
  assert.deepEqual(await artifacts.getArtifactVersion({ ...place, filename: 'a', version: 0 }), first);
  assert.equal(await artifacts.getArtifactVersion({ ...place, filename: 'a', version: 9 }), undefined);
});

test('a file elsewhere comes back as it is, and a reference leads to its target', async (place, artifacts) => {
  const elsewhere = { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } };
  await artifacts.saveArtifact({ ...place, filename: 'a', artifact: elsewhere });
  assert.deepEqual(await artifacts.loadArtifact({ ...place, filename: 'a' }), elsewhere);
  await artifacts.saveArtifact({ ...place, filename: 'b', artifact: png(1) });
  const { canonicalUri } = await artifacts.getArtifactVersion({ ...place, filename: 'b' });
  await artifacts.saveArtifact({ ...place, filename: 'c', artifact: { fileData: { fileUri: canonicalUri } } });
  assert.deepEqual(await artifacts.loadArtifact({ ...place, filename: 'c' }), png(1));
});

/** Starts a proxy that loses every other answer to a save, beginning with the first. */
async function loser(t) {
  let saves = 0;
  const proxy = createServer((asked, response) => {
    const { method, headers } = asked;
    asked.pipe(request(url + asked.url, { method, headers }, (answer) => {
      const isSave = /[/]artifacts/.test(asked.url) && answer.statusCode === 200;
      if (isSave && saves++ % 2 === 0) answer.resume().on('end', () => response.destroy());
      else answer.pipe(response.writeHead(answer.statusCode));
    }));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close().closeAllConnections());
  return `http://127.0.0.1:${proxy.address().port}`;
}

nodeTest('a save whose answer is lost is sent again and stored once', { skip: !url }, async (t) => {
  const spoilt = new AgentSessionArtifactService({ url: await loser(t) });
  const parts = [
    png(1), { inlineData: { ...png(1).inlineData, displayName: 'Photo' } }, { text: 'one' },
    { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } },
  ];
  const place = { appName: `ts-${crypto.randomUUID()}`, userId: 'alice', sessionId: 's1' };
  for (const [number, artifact] of parts.entries()) {
    const filename = `a${number}`;
    for (const version of [0, 1]) {
      assert.equal(await spoilt.saveArtifact({ ...place, filename, artifact }), version);
    }
    assert.deepEqual(await ours.listVersions({ ...place, filename }), [0, 1]);
  }
});

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Ten writers in a process of their own, which append to one transcript: node writers.mjs APP KEY FIRST

import { AgentSessionStore, Connection } from '../../dist/index.js';
import { entry } from './entries.mjs';

const [appName, key, first] = process.argv.slice(2);
const written = await Promise.all(Array.from({ length: 10 }, async (_, index) => {
  const entries = [0, 1].map((number) => entry('user', `${Number(first) + index}-${number}`));
  const store = new AgentSessionStore({ appName, userId: 'alice', connection: new Connection() });
  await store.append(JSON.parse(key), entries);
  return entries.map(({ uuid }) => uuid);
}));
process.stdout.write(JSON.stringify(written));

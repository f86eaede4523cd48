// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Ten writers in a process of their own, which append to one session: node writers.mjs APP FIRST

import { AgentSession, Connection } from '../../dist/index.js';
import { user } from './items.mjs';

const [appName, first] = process.argv.slice(2);
await Promise.all(Array.from({ length: 10 }, async (_, index) => {
  const session = new AgentSession({ sessionId: 's1', appName, userId: 'alice', connection: new Connection() });
  const [one, two, three] = [0, 1, 2].map((number) => user(`${Number(first) + index}-${number}`));
  await session.addItems([one, two]);
  const transaction = { type: 'append_items', items: [three] };
  await session.applyHistoryTransaction({ operationId: three.content, transaction });
}));

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Runs the program of the README without changes, with a scripted model.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AgentSession } from '../dist/index.js';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const readme = readFileSync(file('../README.md'), 'utf8');
const program = readFileSync(file('../examples/quickstart.mjs'), 'utf8');

test('the program of the README prints what the page says', async () => {
  const page = file('../../../docs/frameworks.md'); // not in the package
  for (const text of existsSync(page) ? [readme, readFileSync(page, 'utf8')] : [readme]) {
    assert.ok(text.includes(`\`\`\`js\n${program}\`\`\``));
  }
  await new AgentSession({ sessionId: 'trip', appName: 'guide', userId: 'bob' }).clearSession();
  const model = new URL('support/model.mjs', import.meta.url).href;
  const arguments_ = ['--import', model, file('../examples/quickstart.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, { timeout: 120_000 });
  assert.ok(readme.includes(`\`\`\`text\n${stdout}\`\`\``), stdout);
});

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Runs the program of the README without changes, with a scripted model.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const readme = readFileSync(file('../README.md'), 'utf8');
const program = readFileSync(file('../examples/quickstart.mjs'), 'utf8');

test('the program of the README prints what the page says', async () => {
  const page = file('../../../docs/frameworks.md'); // not in the package
  for (const text of existsSync(page) ? [readme, readFileSync(page, 'utf8')] : [readme]) {
    assert.ok(text.includes(`\`\`\`js\n${program}\`\`\``));
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'claude-')));
  try {
    for (const libc of ['', '-musl']) { // where the SDK looks for the program of Claude, which is not installed here
      const platform = `${process.platform}-${process.arch}${libc}`;
      const place = join(folder, 'modules', `@anthropic-ai/claude-agent-sdk-${platform}`);
      mkdirSync(place, { recursive: true });
      const start = `#!/bin/sh\nexec "${process.execPath}" "${file('support/claude.mjs')}" "$@"\n`;
      writeFileSync(join(place, 'claude'), start, { mode: 0o755 });
    }
    const env = { ...process.env, NODE_PATH: join(folder, 'modules'), CLAUDE_CONFIG_DIR: join(folder, 'config') };
    const options = { cwd: folder, env, timeout: 120_000 };
    const { stdout } = await promisify(execFile)(process.execPath, [file('../examples/quickstart.mjs')], options);
    assert.ok(readme.includes(`\`\`\`text\n${stdout}\`\`\``), stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

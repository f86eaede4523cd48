// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Stands in for the program `claude`: the same messages on its input and output, with a scripted model. It knows what
// was said before only from the transcript that the SDK has loaded from the store.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const flag = process.argv.findIndex((argument) => argument.startsWith('--resume'));
const resumed = flag < 0 ? undefined : process.argv[flag].split('=')[1] ?? process.argv[flag + 1];
const sessionId = resumed ?? randomUUID();
const projects = join(process.env.CLAUDE_CONFIG_DIR, 'projects');
const project = process.cwd().replaceAll(/[^a-zA-Z0-9]/g, '-');
const entry = (kind, content) => ({
  type: kind,
  uuid: randomUUID(),
  sessionId,
  timestamp: '2026-11-01T10:00:00.000Z',
  message: { role: kind, content },
});

const filePath = join(projects, project, `${sessionId}.jsonl`);
const known = resumed ? readFileSync(filePath, 'utf8') : '';
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.type === 'control_request') {
    const response = { subtype: 'success', request_id: asked.request_id, response: {} };
    say({ type: 'control_response', response });
  } else if (asked.type === 'user') {
    const result = known.includes('My name is Ada.') ? 'You are Ada.' : 'Hello!';
    const entries = [entry('user', asked.message.content), entry('assistant', [{ type: 'text', text: result }])];
    say({ type: 'transcript_mirror', filePath, entries });
    const numbers = { duration_ms: 1, duration_api_ms: 1, num_turns: 1, is_error: false };
    say({ type: 'result', subtype: 'success', session_id: sessionId, result, ...numbers });
  }
}

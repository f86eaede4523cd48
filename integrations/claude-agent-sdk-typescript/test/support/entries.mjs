// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import { randomUUID } from 'node:crypto';

/** Returns an entry of a transcript, as Claude's program writes it. */
export function entry(type, content, message = {}) {
  return {
    type,
    uuid: randomUUID(),
    timestamp: '2026-11-01T10:00:00.000Z',
    message: { role: type, content, ...message },
  };
}

/** Returns the entries of a question, a call of a tool and the answer. */
export function turn() {
  const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 };
  const model = { id: 'msg_1', model: 'claude-sonnet-4-5', usage };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'plan.md' } };
  return [
    entry('user', 'When do the cherries blossom?'),
    entry('assistant', [{ type: 'text', text: 'I look into the plan.' }], model),
    entry('assistant', [call], model),
    entry('user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'April' }]),
    entry('assistant', [{ type: 'text', text: 'In April.' }], { ...model, id: 'msg_2' }),
  ];
}

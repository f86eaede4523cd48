// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Runs the contracts in the repository of Claude Agent SDK, unchanged, with the store of this package.
//
//     node test/sdk-suite.mjs FOLDER       FOLDER is a clone of claude-agent-sdk-typescript
//
// The contracts are written for the test runner of Bun, in whose place this runs them with that of Node.js.
// AGENT_SESSIONS_URL says where a service runs.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import typescript from 'typescript';
import { AgentSessionStore } from '../dist/index.js';

globalThis.expect = (actual) => ({
  toBe: (expected) => assert.equal(actual, expected),
  toBeNull: () => assert.equal(actual, null),
  toEqual: (expected) => assert.deepEqual(actual, expected),
  not: { toContain: (expected) => assert.ok(!actual.includes(expected)) },
});

const folder = mkdtempSync(join(tmpdir(), 'claude-contracts-'));
after(() => rmSync(folder, { recursive: true }));
const source = readFileSync(join(process.argv[2], 'examples/session-stores/shared/conformance.ts'), 'utf8');
const { outputText } = typescript.transpileModule(source, { compilerOptions: { module: 'ESNext', target: 'ES2022' } });
writeFileSync(join(folder, 'bun.mjs'), "export { test } from 'node:test'; export const expect = globalThis.expect;");
writeFileSync(join(folder, 'contracts.mjs'), outputText.replaceAll('bun:test', './bun.mjs'));
const { runSessionStoreConformance } = await import(pathToFileURL(join(folder, 'contracts.mjs')).href);

describe('contracts', () => {
  runSessionStoreConformance(() => new AgentSessionStore({ appName: `contracts-${randomUUID()}`, userId: 'alice' }));
});

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Replaces OpenAI's models with a scripted one, which knows the name only from the history: node --import model.mjs

import { setDefaultModelProvider, setTracingDisabled } from '@openai/agents';
import { modelResponder, ScriptedModel } from '@openai/agents-core/testing';
import { says } from './items.mjs';

setTracingDisabled(true);
const model = new ScriptedModel([
  says('Hello, Ada!'),
  modelResponder(({ request }) =>
    says(JSON.stringify(request.input).includes('My name is Ada.') ? 'Your name is Ada.' : 'I do not know.')),
]);
setDefaultModelProvider({ getModel: () => model });

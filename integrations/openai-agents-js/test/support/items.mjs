// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Items for tests.

import { assistantMessage } from '@openai/agents-core/testing';

export const user = (content) => ({ role: 'user', content });
export const says = (text) => [assistantMessage(text)];

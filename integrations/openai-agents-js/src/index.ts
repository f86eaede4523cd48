// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

export { AgentSessionsError, Connection, type ConnectionOptions } from './connection.js';
export { AgentSession, type AgentSessionOptions } from './session.js';

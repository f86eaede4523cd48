// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

/** Stores the sessions of ADK agents in Agent Sessions. */
package dev.agentsessions.client;

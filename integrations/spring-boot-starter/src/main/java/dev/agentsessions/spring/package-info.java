// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

/** Spring Boot's auto-configuration of the ADK services that use Agent Sessions. */
@NullMarked
package dev.agentsessions.spring;

import org.jspecify.annotations.NullMarked;

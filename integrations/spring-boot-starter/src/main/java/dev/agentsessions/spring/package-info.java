// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Spring Boot's auto-configuration of ADK's services and of Spring AI's repositories that
 * use Agent Sessions.
 */
@NullMarked
package dev.agentsessions.spring;

import org.jspecify.annotations.NullMarked;

// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Finds the service in a container with {@code @ServiceConnection} of Testcontainers. */
class ContainerDetailsFactory extends ContainerConnectionDetailsFactory<Container<?>, AgentSessionsConnectionDetails> {

	private static final int PORT = 8080;

	ContainerDetailsFactory() {
		super("agent-sessions");
	}

	@Override
	protected AgentSessionsConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<Container<?>> source) {
		return new Details(source);
	}

	private static final class Details extends ContainerConnectionDetails<Container<?>>
			implements AgentSessionsConnectionDetails {

		Details(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

		@Override
		public String url() {
			return "http://" + getContainer().getHost() + ":" + getContainer().getMappedPort(PORT);
		}

	}

}

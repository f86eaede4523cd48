package dev.agentsessions.support;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Gives tests the client that knows where the service listens. */
@TestConfiguration(proxyBeanMethods = false)
class HttpTestConfiguration {

	/** Lazy because the port is known only when the service listens. */
	@Bean
	@Lazy
	Http http(@Value("${local.server.port}") int port) {
		return new Http(port);
	}

}

package dev.agentsessions.security;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.agentsessions.support.MigratedDatabase;

/** Runs the service with API keys and tokens, on a database that is gone afterwards. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "management.endpoints.web.exposure.include=*")
@ContextConfiguration(initializers = MigratedDatabase.class)
public abstract class SecuredServiceTest {

	@LocalServerPort
	private int port;

	@DynamicPropertySource
	static void configure(DynamicPropertyRegistry registry) {
		Keys.configure(registry);
		Tokens.configure(registry);
	}

	protected int port() {
		return this.port;
	}

	public Call call(String method, String path) {
		return new Call(this.port, method, path);
	}

}

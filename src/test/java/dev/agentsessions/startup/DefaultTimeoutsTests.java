package dev.agentsessions.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/**
 * The defaults of time-outs for which some tests set less, so that they need not wait.
 */
class DefaultTimeoutsTests {

	@Test
	void areThoseOfThePages() throws IOException {
		PropertySource<?> file = new YamlPropertySourceLoader()
			.load("defaults", new ClassPathResource("application.yml"))
			.get(0);
		assertThat(file.getProperty("spring.jdbc.template.query-timeout")).isEqualTo("30s");
		assertThat(file.getProperty("server.tomcat.connection-timeout")).isEqualTo("30s");
	}

}

import java.util.Map;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the service is built on, without anything of the service: Spring Boot with its defaults, Spring MVC, Spring
 * Security that lets everybody in, and a controller that answers with the same line of JSON.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Plain.Controller.class)
public class Plain {

	public static void main(String[] args) {
		SpringApplication.run(Plain.class, "--server.port=" + args[0], "--server.tomcat.basedir=" + args[1],
				"--spring.threads.virtual.enabled=true", "--logging.level.root=warn",
				"--spring.autoconfigure.exclude="
						+ "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
						+ "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
						+ "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration,"
						+ "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration");
	}

	@Bean
	SecurityFilterChain everybody(HttpSecurity http) throws Exception {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.csrf(AbstractHttpConfigurer::disable)
			.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.build();
	}

	@RestController
	static class Controller {

		@GetMapping("/version")
		Map<String, String> version() {
			return Map.of("version", "0");
		}

	}

}

package dev.agentsessions;

import java.util.List;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

import dev.agentsessions.security.ApiKeyCommand;

/**
 * Starts the service. Without Boot's error page, which has another form than all our
 * errors, what the servlet container refuses is answered by the valve of package http.
 */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
@ConfigurationPropertiesScan
public class AgentSessionsApplication {

	public static void main(String[] args) {
		if (List.of(args).contains(ApiKeyCommand.OPTION)) {
			System.out.print(ApiKeyCommand.describe());
			return;
		}
		SpringApplication.run(AgentSessionsApplication.class, args);
	}

}

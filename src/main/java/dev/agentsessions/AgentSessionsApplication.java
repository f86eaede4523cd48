package dev.agentsessions;

import java.util.List;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

import dev.agentsessions.security.ApiKeyCommand;

/**
 * Starts the service. Boot's error page is excluded because its errors have another
 * format than the errors of the API; {@code ProblemReportValve} answers requests that the
 * servlet container refuses.
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

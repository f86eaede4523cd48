package dev.agentsessions;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts the service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class AgentSessionsApplication {

	public static void main(String[] args) {
		SpringApplication.run(AgentSessionsApplication.class, args);
	}

}

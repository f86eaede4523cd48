package conformance;

import com.google.adk.artifacts.BaseArtifactService;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.web.AdkWebServer;
import com.google.adk.web.AgentLoader;
import com.google.adk.web.AgentStaticLoader;
import dev.agentsessions.client.AgentSessionArtifactService;
import dev.agentsessions.client.AgentSessionService;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** ADK's dev server with its sessions and artifacts in Agent Sessions. */
@Configuration(proxyBeanMethods = false)
public class DevServer {

	/** Goes before the dev server's own bean, which keeps sessions in memory. */
	@Bean
	@Primary
	BaseSessionService agentSessions() {
		return new AgentSessionService(); // $AGENT_SESSIONS_URL, or http://localhost:8080
	}

	@Bean
	@Primary
	BaseArtifactService agentArtifacts() {
		return new AgentSessionArtifactService();
	}

	@Bean
	AgentLoader agents() {
		return new AgentStaticLoader(Counter.agent());
	}

	static ConfigurableApplicationContext start(String... args) {
		System.setProperty("adk.agents.loader", "static");
		return SpringApplication.run(new Class<?>[] { AdkWebServer.class, DevServer.class }, args);
	}

}

package dev.agentsessions.http;

import java.util.List;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How Tomcat sends answers, and what it answers to what it refuses itself. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

	/** In bytes. Each open connection has such a buffer. */
	private static final String WRITE_BUFFER = "32768";

	/** A long history is sent in fewer, larger writes. */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> largerWrites() {
		return (factory) -> factory
			.addConnectorCustomizers((connector) -> connector.setProperty("socket.appWriteBufSize", WRITE_BUFFER));
	}

	/**
	 * Errors look as those of the service. The host would make a valve of its own if it
	 * found none of the class that it is told.
	 */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsFromTomcat(List<ErrorFormat> formats) {
		return (factory) -> factory.addContextCustomizers((context) -> {
			if (context.getParent() instanceof StandardHost host) {
				host.setErrorReportValveClass(ProblemReportValve.class.getName());
				host.getPipeline().addValve(new ProblemReportValve(formats));
			}
		});
	}

}

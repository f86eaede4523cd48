package dev.agentsessions.http;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Has Tomcat answer what it refuses itself as the service answers errors. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsFromTomcat() {
		return (factory) -> factory.addContextCustomizers((context) -> {
			if (context.getParent() instanceof StandardHost host) {
				host.setErrorReportValveClass(ProblemReportValve.class.getName());
			}
		});
	}

}

package dev.agentsessions.web.tomcat;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.UrlHandlerFilter;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.web.ApiDialects;

/** How Tomcat reads paths, sends answers, and answers what it refuses itself. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

	/** In bytes. Each open connection has such a buffer. */
	private static final String WRITE_BUFFER = "24576";

	/**
	 * Behind the filters that only look at requests, and before those that refuse some.
	 */
	private static final int BEFORE_ALL_DECISIONS = Ordered.HIGHEST_PRECEDENCE + 100;

	/** A long history is sent in fewer, larger writes. */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> largerWrites() {
		return (factory) -> factory
			.addConnectorCustomizers((connector) -> connector.setProperty("socket.appWriteBufSize", WRITE_BUFFER));
	}

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> compressedAnswers() {
		return (factory) -> factory.setProtocol(CompressingProtocol.class.getName());
	}

	/**
	 * An encoded slash is part of a name: it stays encoded until the path is cut at its
	 * slashes.
	 */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
		String untouched = EncodedSolidusHandling.PASS_THROUGH.getValue();
		return (factory) -> factory.addConnectorCustomizers((connector) -> {
			connector.setEncodedSolidusHandling(untouched);
			connector.setEncodedReverseSolidusHandling(untouched);
		});
	}

	/**
	 * A path with a slash at its end is the same without. Others need not be parsed to
	 * know that they have none.
	 */
	@Bean
	FilterRegistrationBean<Filter> trailingSlashes() {
		UrlHandlerFilter slashes = UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
			if (((HttpServletRequest) request).getRequestURI().endsWith("/")) {
				slashes.doFilter(request, response, chain);
			}
			else {
				chain.doFilter(request, response);
			}
		});
		registration.setOrder(BEFORE_ALL_DECISIONS);
		return registration;
	}

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> unreadBodies(
			@Value("${server.tomcat.max-swallow-size}") DataSize most) {
		return (factory) -> factory.addEngineValves(new UnreadBodyValve(most.toBytes()));
	}

	/**
	 * Errors look as those of the service. The host would make a valve of its own if it
	 * found none of the class that it is told.
	 */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsFromTomcat(ApiDialects dialects,
			JsonMapper json) {
		return (factory) -> factory.addContextCustomizers((context) -> {
			if (context.getParent() instanceof StandardHost host) {
				host.setErrorReportValveClass(ProblemReportValve.class.getName());
				host.getPipeline().addValve(new ProblemReportValve(dialects, json));
			}
		});
	}

}

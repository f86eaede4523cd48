package dev.agentsessions.web;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.apache.tomcat.util.http.MimeHeaders;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties.ForwardHeadersStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.UrlHandlerFilter;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.web.ApiDialect.ApiDialects;

/**
 * Configures how Tomcat reads paths, sends responses, and reports the errors that it
 * finds itself.
 */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

	/** Each open connection has a write buffer of this size. */
	static final int WRITE_BUFFER_BYTES = 12 * 1024;

	/**
	 * After the filters that only observe requests, before the filters that refuse some.
	 */
	private static final int BEFORE_ALL_DECISIONS = Ordered.HIGHEST_PRECEDENCE + 100;

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectors() {
		String untouched = EncodedSolidusHandling.PASS_THROUGH.getValue();
		return (factory) -> {
			factory.setProtocol(CompressingProtocol.class.getName());
			factory.addConnectorCustomizers((connector) -> {
				// Sends a long history in fewer, larger writes
				connector.setProperty("socket.appWriteBufSize", Integer.toString(WRITE_BUFFER_BYTES));
				// Asks for a body that a client announces with Expect only when it is
				// read, so that a refused request is answered without it
				connector.setProperty("continueResponseTiming", "onRead");
				// Keeps an encoded slash until the path is split at its slashes, because
				// it is part of a name
				connector.setEncodedSolidusHandling(untouched);
				connector.setEncodedReverseSolidusHandling(untouched);
			});
		};
	}

	/**
	 * Treats a path with a slash at its end like the path without it. Other paths are not
	 * parsed for this.
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

	/**
	 * Hides {@code Forwarded} and {@code X-Forwarded-*} unless they are to be used here:
	 * clients can send any value, and Swagger UI would use it.
	 */
	@Bean
	FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders(
			@Value("${server.forward-headers-strategy:none}") ForwardHeadersStrategy strategy) {
		ForwardedHeaderFilter filter = new ForwardedHeaderFilter();
		filter.setRemoveOnly(strategy != ForwardHeadersStrategy.FRAMEWORK);
		FilterRegistrationBean<ForwardedHeaderFilter> registration = new FilterRegistrationBean<>(filter);
		registration.setOrder(BEFORE_ALL_DECISIONS);
		return registration;
	}

	/**
	 * Removes {@code Accept-Language} before anything reads it. All responses are
	 * English, but Spring MVC asks for the languages of every request, and Tomcat fails
	 * if there are many.
	 */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> unusedHeaders() {
		return (factory) -> factory.addEngineValves(new ValveBase(true) {

			@Override
			public void invoke(org.apache.catalina.connector.Request request,
					org.apache.catalina.connector.Response response) throws IOException, ServletException {
				request.getCoyoteRequest().getMimeHeaders().removeHeader(HttpHeaders.ACCEPT_LANGUAGE);
				getNext().invoke(request, response);
			}

		});
	}

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> unreadBodies(
			@Value("${server.tomcat.max-swallow-size}") DataSize maxSize) {
		return (factory) -> factory.addEngineValves(new UnreadBodyValve(maxSize.toBytes()));
	}

	/**
	 * Reports errors of Tomcat in the format of the service. The host needs the name of
	 * the class, because it would create a valve of its own if it found none of that
	 * class.
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

	/**
	 * Also compresses responses with a strong entity tag, which Tomcat never does.
	 * Clients send the tag back in {@code If-Match}, where only a strong tag matches. No
	 * cache may store a response ({@code Cache-Control: no-store}), so byte ranges of a
	 * compressed and of a plain response are never combined. Responses that support byte
	 * ranges are left to Tomcat.
	 */
	public static class CompressingProtocol extends Http11NioProtocol {

		private static final String ETAG = "ETag";

		private static final String ACCEPT_RANGES = "Accept-Ranges";

		@Override
		public boolean useCompression(Request request, Response response) {
			MimeHeaders headers = response.getMimeHeaders();
			String tag = headers.getHeader(ETAG);
			if (tag == null || headers.getHeader(ACCEPT_RANGES) != null) {
				return super.useCompression(request, response);
			}
			headers.removeHeader(ETAG);
			try {
				return super.useCompression(request, response);
			}
			finally {
				headers.setValue(ETAG).setString(tag);
			}
		}

	}

}

package dev.agentsessions.security;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.CacheControlConfig;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.FrameOptionsConfig;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.XXssConfig;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.header.writers.CompositeHeaderWriter;
import org.springframework.security.web.header.writers.ContentSecurityPolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

import dev.agentsessions.security.AddressRateLimiter.RateLimitFilter;
import dev.agentsessions.security.AddressRateLimiter.UnknownCallerFilter;
import dev.agentsessions.security.AuthenticationConfiguration.ApiKeyBearerTokenResolver;
import dev.agentsessions.security.Caller.Role;
import dev.agentsessions.security.CurrentCaller.AccessMode;
import dev.agentsessions.security.RequestLog.AuditLines;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.web.ApiDialect.ApiDialects;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.ErrorResponder;

/**
 * Configures authentication and the rules by path and role. {@link AccessRules} decides
 * later which data a caller may access, by the data and not by the path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
class SecurityConfiguration {

	/** The API documents, which are public like the public paths of the dialects. */
	private static final String[] DOCUMENTS = { "/", "/v3/api-docs/**", "/v3/api-docs.yaml/**", "/swagger-ui.html",
			"/swagger-ui/**" };

	private final AccessMode mode;

	private final ApiAuthenticationEntryPoint entryPoint;

	private final ApiDialects dialects;

	SecurityConfiguration(AccessMode mode, ApiAuthenticationEntryPoint entryPoint, ApiDialects dialects) {
		this.mode = mode;
		this.entryPoint = entryPoint;
		this.dialects = dialects;
	}

	@Bean
	SecurityFilterChain filters(HttpSecurity http, AuthenticationManager authenticationManager,
			SecurityProperties properties, CurrentCaller callers, AddressRateLimiter addresses, ErrorResponder errors) {
		withoutSessions(http).csrf(AbstractHttpConfigurer::disable)
			.servletApi(AbstractHttpConfigurer::disable)
			.headers(ResponseHeaders::configure)
			.addFilterBefore(ProblemCorsProcessor.filter(properties.corsOrigins(), addresses),
					BasicAuthenticationFilter.class);
		if (this.mode.isOpen()) {
			return withoutCallers(http).build();
		}
		return http
			.addFilterAt(bearer(authenticationManager, new ApiKeyBearerTokenResolver()),
					BasicAuthenticationFilter.class)
			.exceptionHandling(
					(refused) -> refused.authenticationEntryPoint(this.entryPoint).accessDeniedHandler(this.entryPoint))
			.authorizeHttpRequests(this::rules)
			.addFilterBefore(new UnknownCallerFilter(addresses), AuthorizationFilter.class)
			.addFilterAfter(new RateLimitFilter(properties.rateLimit(), callers, this.dialects, errors),
					AuthorizationFilter.class)
			.build();
	}

	/**
	 * Removes the filters that find and refuse callers, each of which costs every request
	 * time. The firewall still checks the host and the path.
	 */
	private static HttpSecurity withoutCallers(HttpSecurity http) {
		return http.securityContext(AbstractHttpConfigurer::disable)
			.anonymous(AbstractHttpConfigurer::disable)
			.exceptionHandling(AbstractHttpConfigurer::disable);
	}

	/** Configures the same for the console, whose users authenticate with a cookie. */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	SecurityFilterChain consoleFilters(HttpSecurity http, AuthenticationManager authenticationManager,
			SecurityProperties properties, CurrentCaller callers, AddressRateLimiter addresses, ErrorResponder errors,
			CredentialCookie cookie, ConsoleAccess console, AuditLines audit) {
		if (!this.mode.isOpen()) {
			http.addFilterAfter(new ConsoleSecurity.SignInFilter(authenticationManager, cookie, this.entryPoint,
					addresses, errors, audit), CsrfFilter.class);
			http.addFilterAt(bearer(authenticationManager, ConsoleSecurity.SignInFilter.credentials()),
					BasicAuthenticationFilter.class);
		}
		return withoutSessions(http)
			.securityMatcher((request) -> console.isOn() && ConsoleAccess.owns(request.getServletPath()))
			.csrf(ConsoleSecurity::forms)
			.headers(ConsoleSecurity::headers)
			.exceptionHandling((refused) -> ConsoleSecurity.refusals(refused, addresses))
			.authorizeHttpRequests(this::rules)
			.addFilterBefore(ProblemCorsProcessor.filter(List.of(), addresses), CsrfFilter.class)
			.addFilterBefore(new UnknownCallerFilter(addresses), AuthorizationFilter.class)
			.addFilterAfter(new RateLimitFilter(properties.rateLimit(), callers, this.dialects, errors),
					AuthorizationFilter.class)
			.build();
	}

	/**
	 * Disables the console if the service has no access control and other machines can
	 * reach it.
	 */
	@Bean
	ConsoleAccess consoleAccess(ConsoleProperties properties) {
		return new ConsoleAccess(properties.enabled() && (!this.mode.isOpen() || this.mode.isLocal()));
	}

	private static HttpSecurity withoutSessions(HttpSecurity http) {
		return http.logout(AbstractHttpConfigurer::disable)
			.requestCache(AbstractHttpConfigurer::disable)
			.sessionManagement(AbstractHttpConfigurer::disable)
			.securityContext(
					(context) -> context.securityContextRepository(new RequestAttributeSecurityContextRepository()));
	}

	/**
	 * Disables observations, which would cost every request more than all filters
	 * together.
	 */
	@Bean
	SecurityObservationSettings observations() {
		return SecurityObservationSettings.noObservations();
	}

	private void rules(AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry rules) {
		if (this.mode.isOpen()) {
			rules.anyRequest().permitAll();
			return;
		}
		rules.dispatcherTypeMatchers(DispatcherType.ASYNC, DispatcherType.ERROR).permitAll();
		rules.requestMatchers(DOCUMENTS).permitAll();
		rules.requestMatchers(this.dialects.publicPaths().toArray(String[]::new)).permitAll();
		rules.requestMatchers(EndpointRequest.to("health")).permitAll();
		rules.requestMatchers(EndpointRequest.to("prometheus", "metrics"))
			.hasAnyRole(Role.ADMINISTRATOR.name(), Role.METRICS.name());
		rules.requestMatchers(EndpointRequest.toAnyEndpoint()).hasRole(Role.ADMINISTRATOR.name());
		rules.anyRequest().hasAnyRole(Role.READER.name(), Role.AGENT.name(), Role.ADMINISTRATOR.name());
	}

	private BearerTokenAuthenticationFilter bearer(AuthenticationManager authenticationManager,
			BearerTokenResolver resolver) {
		BearerTokenAuthenticationConverter credentials = new BearerTokenAuthenticationConverter();
		credentials.setBearerTokenResolver(resolver);
		BearerTokenAuthenticationFilter filter = new BearerTokenAuthenticationFilter(authenticationManager,
				credentials);
		filter.setAuthenticationEntryPoint(this.entryPoint);
		filter.setAuthenticationFailureHandler(this.entryPoint);
		return filter;
	}

	/**
	 * Configures the security headers of responses. Every response forbids browsers to
	 * guess its type, so JSON is never a page, and needs no headers for pages.
	 */
	static final class ResponseHeaders {

		/** For Swagger UI, which sets styles and shows embedded images. */
		private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; img-src 'self' data:; "
				+ "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

		private static final HeaderWriter JSON_HEADERS = new StaticHeadersWriter("Cache-Control", "no-store");

		private static final HeaderWriter OTHER_HEADERS = new CompositeHeaderWriter(
				List.of(new CacheControlHeadersWriter(), new XFrameOptionsHeaderWriter(),
						new ContentSecurityPolicyHeaderWriter(CONTENT_SECURITY_POLICY),
						new ReferrerPolicyHeaderWriter(ReferrerPolicy.NO_REFERRER)));

		private ResponseHeaders() {
		}

		static void configure(HeadersConfigurer<HttpSecurity> headers) {
			headers.cacheControl(CacheControlConfig::disable)
				.frameOptions(FrameOptionsConfig::disable)
				.xssProtection(XXssConfig::disable)
				.addHeaderWriter(ResponseHeaders::write);
		}

		private static void write(HttpServletRequest request, HttpServletResponse response) {
			(isJson(response) ? JSON_HEADERS : OTHER_HEADERS).writeHeaders(request, response);
		}

		private static boolean isJson(HttpServletResponse response) {
			String type = response.getContentType();
			return type != null && (type.startsWith("application/json") || type.startsWith("application/problem+json"));
		}

	}

	/**
	 * The settings of the console.
	 *
	 * @param enabled whether the console is on; it is always off if other machines can
	 * reach the service and it does not authenticate callers
	 */
	@ConfigurationProperties("agent-sessions.console")
	record ConsoleProperties(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * Permits web pages of the configured origins to call the service. Requests from
	 * pages of other origins are rejected, including those that a browser sends without a
	 * preflight request.
	 */
	static class ProblemCorsProcessor extends DefaultCorsProcessor {

		private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

		private final AddressRateLimiter addresses;

		ProblemCorsProcessor(AddressRateLimiter addresses) {
			this.addresses = addresses;
		}

		static CorsFilter filter(List<String> origins, AddressRateLimiter addresses) {
			CorsConfiguration configuration = new CorsConfiguration();
			configuration.setAllowedOrigins(origins);
			configuration.setAllowedMethods(METHODS);
			configuration.setAllowedHeaders(ApiHeaders.OF_REQUESTS);
			configuration.setExposedHeaders(ApiHeaders.OF_RESPONSES);
			configuration.setMaxAge(Duration.ofHours(1));
			UrlBasedCorsConfigurationSource everywhere = new UrlBasedCorsConfigurationSource();
			everywhere.registerCorsConfiguration("/**", configuration);
			CorsFilter filter = new CorsFilter(everywhere);
			filter.setCorsProcessor(new ProblemCorsProcessor(addresses));
			return filter;
		}

		@Override
		public boolean processRequest(@Nullable CorsConfiguration configuration, HttpServletRequest request,
				HttpServletResponse response) throws IOException {
			boolean allowed = super.processRequest(configuration, request, response);
			if (!allowed) {
				this.addresses.refuse(request, response, new AccessException.Forbidden(
						"Web pages of this origin may not call the service (agent-sessions.security.cors-origins)"));
			}
			return allowed;
		}

		/** Leaves the response to the dialect. */
		@Override
		protected void rejectRequest(ServerHttpResponse response) {
		}

	}

}

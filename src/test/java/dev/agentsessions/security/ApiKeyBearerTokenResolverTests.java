package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;

import dev.agentsessions.security.AuthenticationConfiguration.ApiKeyBearerTokenResolver;

/** Every header is read, or refused, as Spring Security reads or refuses it. */
class ApiKeyBearerTokenResolverTests {

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "Bearer", "Bearer ", "Bearer  ", "Bearer =", "Bearer abc", "bearer abc", "BEARER abc",
			"Bearerabc", "Bearer  abc", " Bearer abc", "Bearer abc ", "Bearer a b", "Bearer abc==", "Bearer a=b",
			"Bearer a~b+c/d", "Bearer a-b_c.d9", "Bearer a.B", "Bearer a,b", "Bearer a\tb", "Bearer \u00E4",
			"Bearer \u0661", "Bearer a@", "Bearer [", "Bearer `", "Bearer {", "Bearer :", "Basic abc", "abc" })
	void headerIsReadAsSpringSecurityReadsIt(@Nullable String authorization) {
		assertThat(resolve(new ApiKeyBearerTokenResolver(), authorization))
			.isEqualTo(resolve(new DefaultBearerTokenResolver(), authorization));
	}

	/** Returns the token or the error. */
	private static @Nullable String resolve(BearerTokenResolver resolver, @Nullable String authorization) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		if (authorization != null) {
			request.addHeader(HttpHeaders.AUTHORIZATION, authorization);
		}
		try {
			return resolver.resolve(request);
		}
		catch (OAuth2AuthenticationException ex) {
			return ex.getError().toString();
		}
	}

}

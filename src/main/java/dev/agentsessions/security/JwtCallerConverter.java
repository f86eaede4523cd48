package dev.agentsessions.security;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.util.StringUtils;

import dev.agentsessions.security.SecurityProperties.JwtClaims;
import dev.agentsessions.security.caller.Caller;
import dev.agentsessions.security.caller.CallerAuthentication;
import dev.agentsessions.security.caller.Role;

/** Converts the claims of a verified token to a caller. */
class JwtCallerConverter implements Converter<Jwt, CallerAuthentication> {

	private static final List<String> SCOPE_CLAIMS = List.of("scope", "scp");

	private final JwtClaims claims;

	JwtCallerConverter(JwtClaims claims) {
		this.claims = claims;
	}

	@Override
	public CallerAuthentication convert(Jwt token) {
		String user = token.getClaimAsString(this.claims.userClaim());
		if (user == null || user.isBlank()) {
			throw new InvalidBearerTokenException("The token names no user");
		}
		Set<String> apps = Set.copyOf(texts(token.getClaim(this.claims.appsClaim())));
		Role role = role(token);
		boolean ofOneUser = role == Role.AGENT;
		Caller caller = new Caller(name(user), role, apps, ofOneUser ? user : null,
				!ofOneUser || this.claims.usersChangeAppState());
		Instant expiry = Objects.requireNonNull(token.getExpiresAt(), "A token without an expiry is not valid");
		return new CallerAuthentication(caller, (now) -> now.isBefore(expiry));
	}

	private Role role(Jwt token) {
		if (hasScope(token, this.claims.administratorScope())) {
			return Role.ADMINISTRATOR;
		}
		return hasScope(token, this.claims.metricsScope()) ? Role.METRICS : Role.AGENT;
	}

	private static boolean hasScope(Jwt token, String scope) {
		return SCOPE_CLAIMS.stream().anyMatch((claim) -> texts(token.getClaim(claim)).contains(scope));
	}

	/** Distinguishes users from keys of the same name. */
	private static String name(String user) {
		return "user " + user;
	}

	/** Returns the strings of a claim: a list, or one string separated by spaces. */
	private static List<String> texts(@Nullable Object claim) {
		if (claim instanceof Collection<?> list) {
			return list.stream().map(String::valueOf).toList();
		}
		return (claim instanceof String text) ? List.of(StringUtils.tokenizeToStringArray(text, " ")) : List.of();
	}

}

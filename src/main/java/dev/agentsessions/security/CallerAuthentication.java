package dev.agentsessions.security;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;

/** Represents a caller in Spring Security. It does not store the credentials. */
public final class CallerAuthentication extends AbstractAuthenticationToken {

	private final transient Caller caller;

	private final transient Predicate<Instant> credentialsValidAt;

	/**
	 * Creates the authentication of a caller.
	 * @param caller the caller
	 * @param credentialsValidAt tests whether the caller's credentials are valid at a
	 * time
	 */
	public CallerAuthentication(Caller caller, Predicate<Instant> credentialsValidAt) {
		super(List.of(new SimpleGrantedAuthority(caller.role().authority())));
		this.caller = caller;
		this.credentialsValidAt = credentialsValidAt;
		setAuthenticated(true);
	}

	/**
	 * Returns the attributes that authenticate a request that the service makes to
	 * itself. Only code within the process can set attributes, so there are no
	 * credentials that a client could send.
	 */
	public static Map<String, Object> attributesOfOwnRequest() {
		return Map.of(RequestAttributeSecurityContextRepository.DEFAULT_REQUEST_ATTR_NAME,
				new SecurityContextImpl(new CallerAuthentication(Caller.ANONYMOUS, (now) -> true)));
	}

	Caller caller() {
		return this.caller;
	}

	Predicate<Instant> credentialsValidAt() {
		return this.credentialsValidAt;
	}

	@Override
	public Object getPrincipal() {
		return this.caller.name();
	}

	@Override
	public Object getCredentials() {
		return "";
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof CallerAuthentication authentication && this.caller.equals(authentication.caller);
	}

	@Override
	public int hashCode() {
		return this.caller.hashCode();
	}

}

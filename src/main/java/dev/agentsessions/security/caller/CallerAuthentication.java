package dev.agentsessions.security.caller;

import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** Tells Spring Security who calls. Credentials are not kept. */
public class CallerAuthentication extends AbstractAuthenticationToken {

	private final transient Caller caller;

	private final transient Predicate<Instant> credentials;

	/**
	 * A caller who is known.
	 * @param credentials whether what the caller is known by is good at a time
	 */
	public CallerAuthentication(Caller caller, Predicate<Instant> credentials) {
		super(List.of(new SimpleGrantedAuthority(caller.role().authority())));
		this.caller = caller;
		this.credentials = credentials;
		setAuthenticated(true);
	}

	Caller caller() {
		return this.caller;
	}

	Predicate<Instant> credentials() {
		return this.credentials;
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

package dev.agentsessions.security;

import org.jspecify.annotations.Nullable;
import java.util.List;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** Tells Spring Security who calls. Credentials are not kept. */
class CallerAuthentication extends AbstractAuthenticationToken {

	private final transient Caller caller;

	CallerAuthentication(Caller caller) {
		super(List.of(new SimpleGrantedAuthority(caller.role().authority())));
		this.caller = caller;
		setAuthenticated(true);
	}

	Caller caller() {
		return this.caller;
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

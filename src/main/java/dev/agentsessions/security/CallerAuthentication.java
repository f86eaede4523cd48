package dev.agentsessions.security;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** Tells Spring Security who calls. Credentials are not kept. */
class CallerAuthentication extends AbstractAuthenticationToken {

	private final transient Caller caller;

	private final @Nullable Instant end;

	/** A caller whose credentials do not end by themselves. */
	CallerAuthentication(Caller caller) {
		this(caller, null);
	}

	/** A caller whose credentials end at a time. */
	CallerAuthentication(Caller caller, @Nullable Instant end) {
		super(List.of(new SimpleGrantedAuthority(caller.role().authority())));
		this.caller = caller;
		this.end = end;
		setAuthenticated(true);
	}

	Caller caller() {
		return this.caller;
	}

	/** When the credentials end; {@code null} if they do not. */
	@Nullable Instant end() {
		return this.end;
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

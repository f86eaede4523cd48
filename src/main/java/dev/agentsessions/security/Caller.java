package dev.agentsessions.security;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;

import dev.agentsessions.session.AccessPolicy.Access;

/**
 * An authenticated caller.
 *
 * @param name the name in logs, by which requests are also counted
 * @param role the role
 * @param apps the apps the caller may access; {@code *} stands for all
 * @param userId the only user whose data the caller may access; {@code null} for all
 * users
 * @param mayChangeAppState whether the caller may change the state that all users of an
 * app share, if its role permits writes
 */
public record Caller(String name, Role role, Set<String> apps, @Nullable String userId, boolean mayChangeAppState) {

	private static final String ALL_APPS = "*";

	/** Every caller of a service without access control. */
	public static final Caller ANONYMOUS = new Caller("anybody", Role.ADMINISTRATOR, Set.of(ALL_APPS), null, true);

	/**
	 * Returns an identity that no other caller has. A user's token for all users has
	 * another identity than the token for only that user.
	 */
	public String identity() {
		return this.role + ((this.userId != null) ? " of one user: " : ": ") + this.name;
	}

	/** Returns whether the caller may access an app. */
	public boolean mayAccessApp(String appName) {
		return this.apps.contains(appName) || this.apps.contains(ALL_APPS);
	}

	/** Returns whether the caller may access a user's data. */
	public boolean mayAccessUser(String user) {
		return this.userId == null || this.userId.equals(user);
	}

	/** The permissions of a caller within its apps. */
	public enum Role {

		/** Reads the metrics of the service, and no data of any app. */
		METRICS,

		/** Reads sessions. */
		READER,

		/** Reads and writes the sessions of one user at a time. */
		AGENT,

		/** Has all permissions, including operations on all users together. */
		ADMINISTRATOR;

		/** Returns whether this role permits an access. */
		public boolean permits(Access access) {
			return switch (access) {
				case READ -> this != METRICS;
				case WRITE -> this == AGENT || this == ADMINISTRATOR;
				case ADMINISTER -> this == ADMINISTRATOR;
			};
		}

		/** Returns the name of the role in Spring Security. */
		String authority() {
			return "ROLE_" + name();
		}

	}

	/** Represents a caller in Spring Security. It does not store the credentials. */
	public static final class CallerAuthentication extends AbstractAuthenticationToken {

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

}

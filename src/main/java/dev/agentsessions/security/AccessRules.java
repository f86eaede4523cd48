package dev.agentsessions.security;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ConsoleAccess;

/** Decides which actions each caller may do. */
@Component
class AccessRules implements AccessPolicy {

	/** The attribute of a request with the owner of the data that it is about. */
	private static final String OWNER = AccessRules.class.getName() + ".OWNER";

	private final CurrentCaller callers;

	AccessRules(CurrentCaller callers) {
		this.callers = callers;
	}

	@Override
	public void check(Access access, SessionName name) {
		Caller caller = this.callers.current();
		checkApp(caller, name.appName());
		if (!caller.mayAccessUser(name.userId())) {
			throw new SessionException.NotFound();
		}
		checkRole(caller, access);
		remember(name.user());
	}

	@Override
	public void check(Access access, StateOwner owner) {
		Caller caller = this.callers.current();
		checkApp(caller, owner.appName());
		if (owner.userId() != null && !caller.mayAccessUser(owner.userId())) {
			throw new AccessException.Forbidden("The data of this user is not yours");
		}
		checkRole(caller, access);
		if (owner.userId() == null && access == Access.WRITE) {
			checkMayChangeAppState(caller);
		}
		remember(owner);
	}

	@Override
	public void checkRole(Access access, String appName) {
		Caller caller = this.callers.current();
		checkApp(caller, appName);
		checkRole(caller, access);
	}

	/** A page of the console is for people, even if its key may write. */
	@Override
	public Secrets secrets() {
		return (this.callers.current().role().permits(Access.WRITE) && !isOnConsole()) ? Secrets.WHOLE : Secrets.MASKED;
	}

	private static boolean isOnConsole() {
		return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
				&& ConsoleAccess.owns(attributes.getRequest().getServletPath());
	}

	@Override
	public String caller() {
		return this.callers.current().identity();
	}

	@Override
	public Optional<String> beneficiary() {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		return (request == null) ? Optional.empty() : this.callers.find()
			.map((caller) -> (caller.userId() != null) ? caller.identity()
					: caller.identity() + " for " + request.getAttribute(OWNER, RequestAttributes.SCOPE_REQUEST));
	}

	/** A request that changes state of a user may change that of the app as well. */
	private static void remember(StateOwner owner) {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		if (request != null
				&& (owner.userId() != null || request.getAttribute(OWNER, RequestAttributes.SCOPE_REQUEST) == null)) {
			request.setAttribute(OWNER, owner, RequestAttributes.SCOPE_REQUEST);
		}
	}

	@Override
	public Optional<String> onlyUser() {
		return Optional.ofNullable(this.callers.current().userId());
	}

	@Override
	public Predicate<Instant> credentials() {
		return this.callers.credentialsValidAt();
	}

	@Override
	public boolean mayAccessApp(String appName) {
		return this.callers.current().mayAccessApp(appName);
	}

	private static void checkApp(Caller caller, String appName) {
		if (!caller.mayAccessApp(appName)) {
			throw new AccessException.Forbidden("This app is not one of yours");
		}
	}

	private static void checkRole(Caller caller, Access access) {
		if (!caller.role().permits(access)) {
			throw AccessException.Forbidden.byRole();
		}
	}

	/**
	 * Agents of all users read the app state, so by default the token of one user may not
	 * change it.
	 */
	private static void checkMayChangeAppState(Caller caller) {
		if (!caller.mayChangeAppState()) {
			throw new AccessException.Forbidden("A user's token may not change the state that all users of an app "
					+ "share (agent-sessions.security.jwt.users-change-app-state)");
		}
	}

}

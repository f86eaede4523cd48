package dev.agentsessions.security;

import java.util.List;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;

import dev.agentsessions.security.CurrentCaller.AccessMode;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ErrorResponder;

/** Rejects requests for other host names, and ambiguous paths. */
@Configuration(proxyBeanMethods = false)
class FirewallConfiguration {

	private static final Pattern LOOPBACK_NAME = Pattern
		.compile("(?i)(.+\\.)?localhost|127(\\.\\d{1,3}){3}|\\[?(0*:)+0*1]?");

	private final AccessMode mode;

	private final List<String> hostNames;

	FirewallConfiguration(AccessMode mode, SecurityProperties properties) {
		this.mode = mode;
		this.hostNames = properties.hostNames();
	}

	/**
	 * Returns a firewall that permits what the rules for ids and paths reject with a
	 * better message. That is safe: no rule decides by the method, and all rules read a
	 * path in the same way.
	 */
	@Bean
	HttpFirewall httpFirewall() {
		StrictHttpFirewall firewall = new StrictHttpFirewall();
		firewall.setUnsafeAllowAnyHttpMethod(true);
		firewall.setAllowSemicolon(true);
		firewall.setAllowUrlEncodedSlash(true);
		firewall.setAllowBackSlash(true);
		firewall.setAllowUrlEncodedPeriod(true);
		firewall.setAllowUrlEncodedPercent(true);
		firewall.setAllowUrlEncodedDoubleSlash(true);
		firewall.setAllowUrlEncodedCarriageReturn(true);
		firewall.setAllowUrlEncodedLineFeed(true);
		firewall.setAllowUrlEncodedLineSeparator(true);
		firewall.setAllowUrlEncodedParagraphSeparator(true);
		firewall.setAllowedHeaderNames((name) -> true);
		firewall.setAllowedHeaderValues((value) -> true);
		firewall.setAllowedParameterNames((name) -> true);
		firewall.setAllowedHostnames(this::isAllowedHostName);
		return firewall;
	}

	@Bean
	RequestRejectedHandler rejectedRequests(ErrorResponder errors) {
		return (request, response, ex) -> errors.answer(request, response, reason(request));
	}

	/**
	 * Checks the host name against DNS rebinding: a web page can make its own host name
	 * resolve to this machine, and the browser then treats both as one origin. Without
	 * access control, only the host name distinguishes such requests.
	 */
	private boolean isAllowedHostName(String name) {
		boolean anyName = this.hostNames.isEmpty() && !this.mode.isLocal();
		return anyName || LOOPBACK_NAME.matcher(name).matches()
				|| this.hostNames.stream().anyMatch(name::equalsIgnoreCase);
	}

	private SessionException reason(HttpServletRequest request) {
		if (!isAllowedHostName(request.getServerName())) {
			return new AccessException.Forbidden(
					"The service accepts only the host names of this machine, localhost and 127.0.0.1, and the configured ones "
							+ "(agent-sessions.security.host-names)");
		}
		return new SessionException.InvalidArgument("The path",
				"must not contain the segments . or .., or control characters");
	}

}

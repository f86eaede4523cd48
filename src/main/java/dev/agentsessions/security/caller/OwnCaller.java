package dev.agentsessions.security.caller;

import java.util.Map;

import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.stereotype.Component;

/**
 * Authenticates requests that the service makes to itself. It uses request attributes,
 * which only code within the process can set, so there are no credentials that a client
 * could send.
 */
@Component
public class OwnCaller {

	OwnCaller() {
	}

	/** Returns the attributes that authenticate such a request. */
	public Map<String, Object> attributes() {
		return Map.of(RequestAttributeSecurityContextRepository.DEFAULT_REQUEST_ATTR_NAME,
				new SecurityContextImpl(new CallerAuthentication(Caller.ANONYMOUS, (now) -> true)));
	}

}

package dev.agentsessions.security.caller;

import java.util.Map;

import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.stereotype.Component;

/**
 * The service itself, where it makes requests of its own. It has no credentials that
 * could be sent: only within the process can a request have attributes.
 */
@Component
public class OwnCaller {

	OwnCaller() {
	}

	/** The attributes of a request by which access control knows it. */
	public Map<String, Object> attributes() {
		return Map.of(RequestAttributeSecurityContextRepository.DEFAULT_REQUEST_ATTR_NAME,
				new SecurityContextImpl(new CallerAuthentication(Caller.ANYBODY, (now) -> true)));
	}

}

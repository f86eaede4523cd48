package dev.agentsessions.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

import dev.agentsessions.security.SecurityProperties.AddressRateLimit;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.web.ErrorResponder;

/**
 * Refuses callers without valid credentials who ask too often, by the address from which
 * they ask. Valid credentials are never refused here, so that no caller locks out others
 * who share an address, as all do behind a proxy that does not tell theirs.
 */
@Component
class AddressRateLimiter {

	/** What begins like this and is no address is not looked up as a name. */
	private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:][0-9a-fA-F.]*:[0-9a-fA-F:.]*");

	private static final int BYTES_OF_NETWORK = 8;

	/** In characters; a proxy may hand on any text as an address. */
	private static final int LONGEST = 45;

	private final AddressRateLimit limit;

	private final RequestCounter<String> requests;

	private final ErrorResponder errors;

	AddressRateLimiter(SecurityProperties properties, ErrorResponder errors) {
		this.limit = properties.addressRateLimit();
		this.requests = new RequestCounter<>(this.limit.requestsPerSecond(), this.limit.burst());
		this.errors = errors;
	}

	/**
	 * Counts a request without valid credentials, and answers it if there were too many.
	 * @return whether it was answered
	 */
	boolean refuses(HttpServletRequest request, HttpServletResponse response) {
		if (this.limit.requestsPerSecond() == 0) {
			return false;
		}
		Duration wait = this.requests.count(network(request.getRemoteAddr()));
		if (wait.isZero()) {
			return false;
		}
		response.setHeader(HttpHeaders.RETRY_AFTER, RequestCounter.seconds(wait));
		this.errors.answer(request, response,
				new AccessException.RateLimited(
						"Too many requests without valid credentials (agent-sessions.security.address-rate-limit). "
								+ "Please retry later."));
		return true;
	}

	/** A caller with an address of IPv6 mostly has all others of its /64 network, too. */
	static String network(String address) {
		String known = address.substring(0, Math.min(LONGEST, address.length())).split("%", 2)[0];
		if (!IPV6.matcher(known).matches()) {
			return known;
		}
		try {
			byte[] bytes = InetAddress.getByName(known).getAddress();
			return HexFormat.of().formatHex(bytes, 0, Math.min(BYTES_OF_NETWORK, bytes.length));
		}
		catch (UnknownHostException ex) {
			return known;
		}
	}

}

package dev.agentsessions.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.SecretStore;
import dev.agentsessions.session.SessionException;

/**
 * Issues page tokens, which say where the next page of a list begins, and knows its own
 * again. A token belongs to one query of one caller: it carries an HMAC-SHA-256 over both
 * and the place, so nobody can ask for a place that was not given to them. The service
 * remembers nothing between two requests.
 */
@Component
public class PageTokens {

	private static final String ALGORITHM = "HmacSHA256";

	private static final int MAC_BYTES = 32;

	private static final String SEPARATOR = "\n";

	/** Tells texts apart wherever one ends and the next begins. */
	private static final JsonMapper JSON = JsonMapper.shared();

	private final AccessPolicy access;

	private final Supplier<SecretKeySpec> key;

	PageTokens(PageTokenProperties properties, SecretStore secrets, AccessPolicy access) {
		this.access = access;
		this.key = SingletonSupplier.of(() -> {
			byte[] given = properties.key();
			return new SecretKeySpec((given != null) ? given : secrets.secret("page-token-key"), ALGORITHM);
		});
	}

	/**
	 * Makes a token for the current caller.
	 * @param query the route and all that tells the query from others; the size of a page
	 * does not
	 * @param position the place of the last item, without control characters
	 */
	public String issue(List<?> query, String... position) {
		byte[] place = String.join(SEPARATOR, position).getBytes(StandardCharsets.UTF_8);
		byte[] token = ByteBuffer.allocate(MAC_BYTES + place.length).put(mac(query, place)).put(place).array();
		return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
	}

	/**
	 * Reads a token.
	 * @return the place of the last item, as it was given to {@link #issue}
	 * @throws SessionException.InvalidArgument if the current caller was not given it for
	 * this query
	 */
	public List<String> position(String token, List<?> query) {
		byte[] bytes = decode(token);
		byte[] mac = Arrays.copyOf(bytes, MAC_BYTES);
		byte[] place = Arrays.copyOfRange(bytes, Math.min(MAC_BYTES, bytes.length), bytes.length);
		if (!MessageDigest.isEqual(mac, mac(query, place))) {
			throw notIssued();
		}
		return List.of(new String(place, StandardCharsets.UTF_8).split(SEPARATOR, -1));
	}

	private byte[] mac(List<?> query, byte[] place) {
		String bound = JSON.writeValueAsString(List.of(this.access.caller(), query));
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.key.get());
			mac.update(MessageDigest.getInstance("SHA-256").digest(bound.getBytes(StandardCharsets.UTF_8)));
			return mac.doFinal(place);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static byte[] decode(String token) {
		try {
			return Base64.getUrlDecoder().decode(token);
		}
		catch (IllegalArgumentException ex) {
			throw notIssued();
		}
	}

	private static SessionException.InvalidArgument notIssued() {
		return new SessionException.InvalidArgument("pageToken",
				"must be one that the service has given to you for the same query");
	}

}

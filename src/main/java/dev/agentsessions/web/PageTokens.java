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

import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.validation.annotation.Validated;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SecretStore;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Sha256;

/**
 * Issues and verifies page tokens, which say where the next page of a list begins. A
 * token belongs to one query of one caller: it carries an HMAC-SHA-256 over the query,
 * the caller and the position. A caller can therefore only use positions that the service
 * issued to that caller. The service stores nothing between two requests.
 */
@Component
public class PageTokens {

	private static final String ALGORITHM = "HmacSHA256";

	private static final int MAC_BYTES = 32;

	private static final String SEPARATOR = "\n";

	/**
	 * Writes a query as the fingerprint of its tokens: all components of its records,
	 * except those of a page only. So no list can leave out a filter. The boundaries of
	 * texts are unambiguous.
	 */
	private static final JsonMapper FINGERPRINT = JsonMapper.builder()
		.annotationIntrospector(new JacksonAnnotationIntrospector() {

			@Override
			public boolean hasIgnoreMarker(MapperConfig<?> config, AnnotatedMember member) {
				return member.hasAnnotation(Page.Only.class);
			}

		})
		.build();

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
	 * Issues a token for the current caller.
	 * @param list the list, because several have the same type of query
	 * @param query the records that say which items the list has
	 * @param position the position of the last item, without control characters
	 */
	public String issue(String list, List<? extends Record> query, String... position) {
		byte[] cursor = String.join(SEPARATOR, position).getBytes(StandardCharsets.UTF_8);
		byte[] token = ByteBuffer.allocate(MAC_BYTES + cursor.length).put(mac(list, query, cursor)).put(cursor).array();
		return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
	}

	/**
	 * Verifies a token and returns its position.
	 * @return the position of the last item, as it was given to {@link #issue}
	 * @throws SessionException.InvalidArgument if the service did not issue the token to
	 * the current caller for this query of this list
	 */
	public List<String> position(String token, String list, List<? extends Record> query) {
		byte[] bytes = decode(token);
		byte[] mac = Arrays.copyOf(bytes, MAC_BYTES);
		byte[] cursor = Arrays.copyOfRange(bytes, Math.min(MAC_BYTES, bytes.length), bytes.length);
		if (!MessageDigest.isEqual(mac, mac(list, query, cursor))) {
			throw notIssued();
		}
		return List.of(new String(cursor, StandardCharsets.UTF_8).split(SEPARATOR, -1));
	}

	private byte[] mac(String list, List<? extends Record> query, byte[] cursor) {
		String bound = FINGERPRINT.writeValueAsString(List.of(this.access.caller(), list, query));
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.key.get());
			mac.update(Sha256.of(bound));
			return mac.doFinal(cursor);
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

	/**
	 * Settings for the signatures of page tokens.
	 *
	 * @param pageTokenKey the key that all replicas share, at least 32 characters of
	 * secret text; without it, the replicas use a key that is stored in the database
	 */
	@Validated
	@ConfigurationProperties("agent-sessions")
	record PageTokenProperties(@Size(min = 32) @Nullable String pageTokenKey) {

		byte @Nullable [] key() {
			return (this.pageTokenKey != null) ? this.pageTokenKey.getBytes(StandardCharsets.UTF_8) : null;
		}

		/** Omits the key, so that it does not get into a log. */
		@Override
		public String toString() {
			return getClass().getSimpleName();
		}

	}

}

package dev.agentsessions.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

import dev.agentsessions.session.SecretStore;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SignIn;
import dev.agentsessions.session.SignOutStore;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Keeps the key or token of somebody who has signed in to the console: in a cookie,
 * encrypted and authenticated (AES-256-GCM) with a secret that all replicas share, so the
 * service remembers nothing but the cookies that were signed out. It is checked with
 * every request as if it had been sent itself, and is worth nothing outside of the
 * console.
 */
@Component
class CredentialCookie {

	/** How long somebody stays signed in, if the credentials do not end before. */
	static final Duration LIFE = Duration.ofHours(12);

	/**
	 * In characters. Browsers keep 4,096 bytes of a cookie, Base64 makes four of three.
	 */
	static final int LONGEST = 2900;

	private static final String NAME = "agent-sessions-console";

	private static final String CIPHER = "AES/GCM/NoPadding";

	private static final int NONCE_BYTES = 12;

	private static final int TAG_BITS = 128;

	private static final SecureRandom RANDOM = new SecureRandom();

	private final Supplier<SecretKeySpec> key;

	private final SignOutStore signOuts;

	CredentialCookie(SecretStore secrets, SignOutStore signOuts) {
		this.signOuts = signOuts;
		this.key = SingletonSupplier.of(() -> key(secrets.secret("console-cookie-key")));
	}

	/**
	 * The cookie that keeps credentials.
	 * @throws SessionException.Unavailable if the database does not tell the secret
	 */
	ResponseCookie of(String credentials, HttpServletRequest request) {
		byte[] text = credentials.getBytes(StandardCharsets.UTF_8);
		byte[] plain = ByteBuffer.allocate(Long.BYTES + text.length)
			.putLong(Instant.now().plus(LIFE).toEpochMilli())
			.put(text)
			.array();
		byte[] nonce = new byte[NONCE_BYTES];
		RANDOM.nextBytes(nonce);
		byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, plain);
		byte[] value = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
		return cookie(Base64.getUrlEncoder().withoutPadding().encodeToString(value), LIFE, request);
	}

	/** The cookie that takes the place of the one with credentials. */
	static ResponseCookie none(HttpServletRequest request) {
		return cookie("", Duration.ZERO, request);
	}

	/**
	 * The credentials that a request brings; empty if it has none, or none of ours, or
	 * they are too old, or were signed out, at whichever replica.
	 * @throws SessionException.Unavailable if the database does not answer
	 */
	Optional<String> read(HttpServletRequest request) {
		return open(request).filter((opened) -> !this.signOuts.isSignedOut(opened.signIn()))
			.map(OpenedCookie::credentials);
	}

	/**
	 * Has no replica accept the cookie of a request again.
	 * @throws SessionException.Unavailable if the database does not answer; then the
	 * cookie is still accepted
	 */
	void signOut(HttpServletRequest request) {
		open(request).ifPresent((opened) -> this.signOuts.signOut(opened.signIn()));
	}

	private Optional<OpenedCookie> open(HttpServletRequest request) {
		Cookie[] cookies = request.getCookies();
		return Stream.of((cookies != null) ? cookies : new Cookie[0])
			.filter((cookie) -> cookie.getName().equals(NAME))
			.findFirst()
			.flatMap((cookie) -> open(cookie.getValue()));
	}

	private Optional<OpenedCookie> open(String value) {
		try {
			byte[] bytes = Base64.getUrlDecoder().decode(value);
			if (bytes.length <= NONCE_BYTES) {
				return Optional.empty();
			}
			ByteBuffer plain = ByteBuffer.wrap(run(Cipher.DECRYPT_MODE, Arrays.copyOf(bytes, NONCE_BYTES),
					Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length)));
			Instant end = Instant.ofEpochMilli(plain.getLong());
			return Instant.now().isBefore(end)
					? Optional.of(OpenedCookie.of(bytes, end, StandardCharsets.UTF_8.decode(plain).toString()))
					: Optional.empty();
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/**
	 * A cookie of ours that has not ended.
	 *
	 * @param signIn what is known of it
	 * @param credentials the key or token in it
	 */
	private record OpenedCookie(SignIn signIn, String credentials) {

		/** Of the decoded bytes, which have several spellings in Base64. */
		static OpenedCookie of(byte[] bytes, Instant end, String credentials) {
			HexFormat hex = HexFormat.of();
			return new OpenedCookie(
					new SignIn(hex.formatHex(ApiKey.hash(credentials)), hex.formatHex(sha256(bytes)), end),
					credentials);
		}

	}

	private byte[] run(int mode, byte[] nonce, byte[] bytes) {
		try {
			Cipher cipher = Cipher.getInstance(CIPHER);
			cipher.init(mode, this.key.get(), new GCMParameterSpec(TAG_BITS, nonce));
			cipher.updateAAD(NAME.getBytes(StandardCharsets.UTF_8));
			return cipher.doFinal(bytes);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalArgumentException("Not a cookie of this service", ex);
		}
	}

	private static SecretKeySpec key(byte[] secret) {
		return new SecretKeySpec(sha256(secret), "AES");
	}

	private static byte[] sha256(byte[] bytes) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(bytes);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ResponseCookie cookie(String value, Duration age, HttpServletRequest request) {
		return ResponseCookie.from(NAME, value)
			.httpOnly(true)
			.secure(request.isSecure())
			.sameSite("Strict")
			.path(request.getContextPath() + ConsoleAccess.PATH)
			.maxAge(age)
			.build();
	}

}

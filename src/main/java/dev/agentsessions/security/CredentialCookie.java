package dev.agentsessions.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.crypto.spec.SecretKeySpec;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseCookie;
import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;
import org.springframework.security.crypto.keygen.KeyGenerators;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

import dev.agentsessions.security.ApiKeys.ApiKey;
import dev.agentsessions.session.SecretStore;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.SecretStore.SignOutStore;
import dev.agentsessions.session.SecretStore.SignOutStore.SignIn;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Stores the key or token of a console user in a cookie, encrypted and authenticated
 * (AES-256-GCM) with a secret that all replicas share. So the service stores only the
 * cookies that were signed out. Every request checks the key or token as if the client
 * had sent it itself. The API does not accept the cookie.
 */
@Component
class CredentialCookie {

	/**
	 * The maximum time that a user stays signed in; less if the credentials expire
	 * before.
	 */
	static final Duration LIFETIME = Duration.ofHours(12);

	/**
	 * Browsers store at most 4,096 bytes of a cookie, and Base64 encodes three bytes as
	 * four.
	 */
	static final int MAX_CREDENTIAL_CHARS = 2900;

	private static final String NAME = "agent-sessions-console";

	private static final int NONCE_BYTES = 12;

	private final Supplier<BytesEncryptor> encryptor;

	private final SignOutStore signOuts;

	CredentialCookie(SecretStore secrets, SignOutStore signOuts) {
		this.signOuts = signOuts;
		this.encryptor = SingletonSupplier.of(() -> encryptor(secrets.secret("console-cookie-key")));
	}

	/**
	 * Returns the cookie for credentials.
	 * @throws SessionException.Unavailable if the secret cannot be read from the database
	 */
	ResponseCookie of(String credentials, HttpServletRequest request) {
		byte[] text = credentials.getBytes(StandardCharsets.UTF_8);
		byte[] plain = ByteBuffer.allocate(Long.BYTES + text.length)
			.putLong(Instant.now().plus(LIFETIME).toEpochMilli())
			.put(text)
			.array();
		byte[] value = this.encryptor.get().encrypt(plain);
		return cookie(Base64.getUrlEncoder().withoutPadding().encodeToString(value), LIFETIME, request);
	}

	/** Returns the cookie that removes the one with credentials. */
	static ResponseCookie none(HttpServletRequest request) {
		return cookie("", Duration.ZERO, request);
	}

	/**
	 * Returns the credentials in the cookie of a request; empty if it has none, or the
	 * cookie is not of this service, has expired or was signed out at any replica.
	 * @throws SessionException.Unavailable if the database is unavailable
	 */
	Optional<String> read(HttpServletRequest request) {
		return open(request).filter((opened) -> !this.signOuts.isSignedOut(opened.signIn()))
			.map(OpenedCookie::credentials);
	}

	/**
	 * Signs out the cookie of a request at all replicas.
	 * @return whether the request has one
	 * @throws SessionException.Unavailable if the database is unavailable; the cookie is
	 * then still accepted
	 */
	boolean signOut(HttpServletRequest request) {
		Optional<OpenedCookie> opened = open(request);
		opened.ifPresent((cookie) -> this.signOuts.signOut(cookie.signIn()));
		return opened.isPresent();
	}

	private Optional<OpenedCookie> open(HttpServletRequest request) {
		Cookie[] cookies = request.getCookies();
		return Stream.of((cookies != null) ? cookies : new Cookie[0])
			.filter((cookie) -> cookie.getName().equals(NAME))
			.flatMap((cookie) -> open(cookie.getValue()).stream())
			.findFirst();
	}

	private Optional<OpenedCookie> open(String value) {
		try {
			byte[] bytes = Base64.getUrlDecoder().decode(value);
			if (bytes.length <= NONCE_BYTES) {
				return Optional.empty();
			}
			ByteBuffer plain = ByteBuffer.wrap(this.encryptor.get().decrypt(bytes));
			Instant expiry = Instant.ofEpochMilli(plain.getLong());
			return Instant.now().isBefore(expiry)
					? Optional.of(OpenedCookie.of(bytes, expiry, StandardCharsets.UTF_8.decode(plain).toString()))
					: Optional.empty();
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			// Neither Base64 nor encrypted with the secret of this service
			return Optional.empty();
		}
	}

	/**
	 * A decrypted cookie that has not expired.
	 *
	 * @param signIn identifies the cookie in the store of sign-outs
	 * @param credentials the key or token in it
	 */
	private record OpenedCookie(SignIn signIn, String credentials) {

		/**
		 * Identifies the cookie by its decoded bytes, because Base64 has several
		 * spellings of them.
		 */
		static OpenedCookie of(byte[] bytes, Instant expiry, String credentials) {
			HexFormat hex = HexFormat.of();
			return new OpenedCookie(
					new SignIn(hex.formatHex(ApiKey.hash(credentials)), hex.formatHex(Sha256.of(bytes)), expiry),
					credentials);
		}

	}

	private static BytesEncryptor encryptor(byte[] secret) {
		return AesGcmBytesEncryptor.withSecretKey(new SecretKeySpec(Sha256.of(secret), "AES"))
			.ivGenerator(KeyGenerators.secureRandom(NONCE_BYTES))
			.build();
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

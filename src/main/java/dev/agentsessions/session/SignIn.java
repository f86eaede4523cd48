package dev.agentsessions.session;

import java.time.Instant;

/**
 * Identifies the cookie of a sign-in, without its contents.
 *
 * @param credentials the SHA-256 of the key or token in it, in hexadecimal digits
 * @param cookie the SHA-256 of the cookie, in hexadecimal digits
 * @param end the expiry of the cookie
 */
public record SignIn(String credentials, String cookie, Instant end) {
}

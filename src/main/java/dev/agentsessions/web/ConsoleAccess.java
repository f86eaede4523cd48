package dev.agentsessions.web;

import java.security.SecureRandom;
import java.util.Base64;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Whether the service shows itself to people, in the console.
 *
 * @param isOn whether there is a console at all
 */
public record ConsoleAccess(boolean isOn) {

	/** The path of the console, and the beginning of the paths of all its pages. */
	public static final String PATH = "/console";

	/** Where its files are, which anybody may see. */
	public static final String FILES = PATH + "/static/";

	/** Where the form of a key or a token is sent to. */
	public static final String SIGN_IN = PATH + "/sign-in";

	/** Where the form is sent to with which somebody leaves. */
	public static final String SIGN_OUT = PATH + "/sign-out";

	private static final String NONCE = ConsoleAccess.class.getName() + ".nonce";

	private static final int NONCE_BYTES = 16;

	private static final SecureRandom RANDOM = new SecureRandom();

	/**
	 * What tells a browser which scripts and styles the page itself has asked for, the
	 * same in the page and in its policy; random and new for each request. A policy that
	 * named the path of the files would have to name the host as well, which a proxy may
	 * hide, and could not name an IP address.
	 */
	public static String nonce(HttpServletRequest request) {
		String known = (String) request.getAttribute(NONCE);
		if (known != null) {
			return known;
		}
		byte[] bytes = new byte[NONCE_BYTES];
		RANDOM.nextBytes(bytes);
		String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
		request.setAttribute(NONCE, nonce);
		return nonce;
	}

	/**
	 * Whether a path is one of the console's.
	 * @param path the path, decoded, or as it was sent if it cannot be decoded
	 */
	public static boolean owns(String path) {
		return path.startsWith(PATH) && (path.length() == PATH.length() || path.charAt(PATH.length()) == '/');
	}

}

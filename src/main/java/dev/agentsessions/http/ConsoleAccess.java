package dev.agentsessions.http;

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

	/**
	 * Whether a path is one of the console's.
	 * @param path the path, decoded, or as it was sent if it cannot be decoded
	 */
	public static boolean owns(String path) {
		return path.startsWith(PATH) && (path.length() == PATH.length() || path.charAt(PATH.length()) == '/');
	}

}

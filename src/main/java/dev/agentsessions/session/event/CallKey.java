package dev.agentsessions.session.event;

import java.util.HexFormat;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Sha256;

/**
 * Stands for the id of a function call where calls and their responses are matched, in an
 * index, an address and a page token. It is the id itself, or its digest if the id is too
 * long for them: some frameworks put signatures of several kilobytes into the id.
 */
public final class CallKey {

	private CallKey() {
	}

	/** Returns the key of a call with this id. */
	public static String of(String id) {
		return isLong(id) ? HexFormat.of().formatHex(Sha256.of(id)) : id;
	}

	/** Returns whether the key of a call with this id is a digest. */
	public static boolean isLong(String id) {
		return id.length() > Identifiers.MAX_CODE_POINTS;
	}

}

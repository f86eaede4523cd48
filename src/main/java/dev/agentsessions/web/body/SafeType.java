package dev.agentsessions.web.body;

import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * The media types with which the service serves what clients have stored: a browser must
 * not run it, nor show it as a page of this service.
 */
public final class SafeType {

	/**
	 * The types that may be used in a header. Wildcards and quoted values are not needed.
	 */
	private static final Pattern TYPE = Pattern
		.compile("[\\w!#$&^.+-]{1,127}/[\\w!#$&^.+-]{1,127}( ?; ?[\\w!#$&^.+-]{1,64}=[\\w!#$&^.+-]{1,64}){0,4}");

	private static final Set<String> SHOWN = Set.of("image", "audio", "video");

	static final MediaType ANY_BYTES = MediaType.APPLICATION_OCTET_STREAM;

	private SafeType() {
	}

	/**
	 * Returns the type that a client has given, if it is the type of an image, audio,
	 * video or a PDF; otherwise {@code application/octet-stream}.
	 */
	public static MediaType of(@Nullable String mimeType) {
		if (mimeType == null || !TYPE.matcher(mimeType).matches()) {
			return ANY_BYTES;
		}
		try {
			MediaType type = MediaType.parseMediaType(mimeType);
			return (isShown(type) || type.equalsTypeAndSubtype(MediaType.APPLICATION_PDF)) ? type : ANY_BYTES;
		}
		catch (InvalidMediaTypeException ex) {
			return ANY_BYTES;
		}
	}

	/**
	 * Returns whether a browser may show the content inline: images, audio and video, but
	 * no XML formats such as SVG, which can contain scripts.
	 */
	public static boolean isShown(MediaType type) {
		String subtype = type.getSubtype();
		return SHOWN.contains(type.getType()) && !subtype.contains("xml") && !subtype.contains("svg");
	}

}

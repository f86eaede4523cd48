package dev.agentsessions.web.tomcat;

import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.http.MimeHeaders;

/**
 * Compresses answers with a strong entity tag, too, which Tomcat never does. The tag is
 * there to be sent back in {@code If-Match}, where only a strong one counts; nothing
 * between here and the client may keep an answer ({@code Cache-Control: no-store}), so
 * nobody ever puts together pieces of a compressed and a plain one. What is answered in
 * pieces is left to Tomcat.
 */
public class CompressingProtocol extends Http11NioProtocol {

	private static final String ETAG = "ETag";

	private static final String ACCEPT_RANGES = "Accept-Ranges";

	@Override
	public boolean useCompression(Request request, Response response) {
		MimeHeaders headers = response.getMimeHeaders();
		String tag = headers.getHeader(ETAG);
		if (tag == null || headers.getHeader(ACCEPT_RANGES) != null) {
			return super.useCompression(request, response);
		}
		headers.removeHeader(ETAG);
		try {
			return super.useCompression(request, response);
		}
		finally {
			headers.setValue(ETAG).setString(tag);
		}
	}

}

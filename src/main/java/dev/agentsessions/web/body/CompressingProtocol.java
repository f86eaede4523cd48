package dev.agentsessions.web.body;

import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.http.MimeHeaders;

/**
 * Also compresses responses with a strong entity tag, which Tomcat never does. Clients
 * send the tag back in {@code If-Match}, where only a strong tag matches. No cache may
 * store a response ({@code Cache-Control: no-store}), so byte ranges of a compressed and
 * of a plain response are never combined. Responses that support byte ranges are left to
 * Tomcat.
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

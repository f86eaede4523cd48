package dev.agentsessions.web;

import java.io.IOException;
import java.util.Objects;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.web.ApiDialect.ApiDialects;

/**
 * Writes the response if Tomcat refuses a request before any code of the service sees it,
 * because the path cannot be decoded or the method is invalid. The dialect of the path
 * words the error.
 */
class ProblemReportValve extends ErrorReportValve {

	private static final Logger logger = LoggerFactory.getLogger(ProblemReportValve.class);

	private final ApiDialects dialects;

	private final JsonMapper json;

	ProblemReportValve(ApiDialects dialects, JsonMapper json) {
		this.dialects = dialects;
		this.json = json;
	}

	@Override
	protected void report(Request request, Response response, @Nullable Throwable fault) {
		boolean isError = HttpStatusCode.valueOf(response.getStatus()).isError();
		if (!isError || response.getContentWritten() > 0 || !response.setErrorReported()) {
			return;
		}
		blameClient(request, response);
		HttpStatusCode status = HttpStatusCode.valueOf(response.getStatus());
		ApiDialect dialect = this.dialects.of(Objects.requireNonNullElse(request.getRequestURI(), ""));
		String id = RequestId.of(request);
		try {
			response.setHeader(RequestId.HEADER, id);
			response.setContentType(dialect.errorType().toString());
			response.getOutputStream()
				.write(this.json.writeValueAsBytes(dialect.error(status, detail(request, status), id)));
			response.finishResponse();
		}
		catch (IOException ex) {
			logger.debug("The client disconnected before the response was sent", ex);
		}
	}

	/**
	 * Tomcat responds with 501 to CONNECT and to an unknown Transfer-Encoding, and with
	 * 505 to an unknown version of HTTP. A retry does not help, so these are errors of
	 * the client.
	 */
	private static void blameClient(Request request, Response response) {
		if (response.getStatus() == HttpStatus.HTTP_VERSION_NOT_SUPPORTED.value()) {
			response.setStatus(HttpStatus.BAD_REQUEST.value());
		}
		if (response.getStatus() == HttpStatus.NOT_IMPLEMENTED.value()) {
			if (hasUnknownTransferEncoding(request)) {
				response.setStatus(HttpStatus.BAD_REQUEST.value());
			}
			else {
				response.setStatus(HttpStatus.METHOD_NOT_ALLOWED.value());
				response.setHeader(HttpHeaders.ALLOW, "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
			}
		}
	}

	private static boolean hasUnknownTransferEncoding(Request request) {
		String encoding = request.getHeader(HttpHeaders.TRANSFER_ENCODING);
		return encoding != null && !encoding.strip().equalsIgnoreCase("chunked");
	}

	private static String detail(Request request, HttpStatusCode status) {
		HttpStatus known = HttpStatus.resolve(status.value());
		if (known == HttpStatus.BAD_REQUEST && hasUnknownTransferEncoding(request)) {
			return "The only Transfer-Encoding of a body is chunked";
		}
		if (known == HttpStatus.BAD_REQUEST) {
			return "The request is not valid HTTP, its path is not UTF-8 or has a NUL in it,"
					+ " or path, query and headers are together larger than the service reads";
		}
		return (known != null) ? known.getReasonPhrase() : "The request was refused";
	}

}

package dev.agentsessions.http;

import java.io.IOException;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Answers as a problem detail where Tomcat refuses a request before any of our code sees
 * it: a path that cannot be decoded, or has an encoded slash in it.
 */
public class ProblemReportValve extends ErrorReportValve {

	private static final Logger logger = LoggerFactory.getLogger(ProblemReportValve.class);

	@Override
	protected void report(Request request, Response response, @Nullable Throwable fault) {
		int status = response.getStatus();
		if (status < HttpStatus.BAD_REQUEST.value() || response.getContentWritten() > 0
				|| !response.setErrorReported()) {
			return;
		}
		try {
			response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
			response.getOutputStream().print(problem(status));
			response.finishResponse();
		}
		catch (IOException ex) {
			logger.debug("The client did not wait for the answer", ex);
		}
	}

	private static String problem(int status) {
		HttpStatus known = HttpStatus.resolve(status);
		if (known == null) {
			return problem("Error", status, "INVALID_ARGUMENT", "The request was refused");
		}
		String title = known.getReasonPhrase();
		return switch (known) {
			case BAD_REQUEST -> problem(title, status, "INVALID_ARGUMENT",
					"The request is not valid HTTP, or its path is not UTF-8 or has an encoded / or \\\\ or NUL in it");
			case INTERNAL_SERVER_ERROR -> problem(title, status, "INTERNAL", title);
			default -> problem(title, status, known.name(), title);
		};
	}

	private static String problem(String title, int status, String code, String detail) {
		return "{\"title\":\"%s\",\"status\":%d,\"code\":\"%s\",\"detail\":\"%s\"}".formatted(title, status, code,
				detail);
	}

}

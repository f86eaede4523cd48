package dev.agentsessions.web.body;

import java.io.IOException;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpHeaders;

/**
 * Removes {@code Accept-Language} before anything reads it. All responses are English,
 * but Spring MVC asks for the languages of every request, and Tomcat fails if there are
 * many.
 */
class UnusedHeadersValve extends ValveBase {

	UnusedHeadersValve() {
		super(true);
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		request.getCoyoteRequest().getMimeHeaders().removeHeader(HttpHeaders.ACCEPT_LANGUAGE);
		getNext().invoke(request, response);
	}

}

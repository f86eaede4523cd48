package dev.agentsessions.http;

import java.util.regex.Pattern;

import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/** How a dialect says what Tomcat refuses before any controller sees it. */
public interface ErrorFormat {

	/** The paths of the dialect, as they are sent. */
	Pattern paths();

	/** The content type of the answer. */
	MediaType type();

	/**
	 * Words the answer.
	 * @param detail what a person should know
	 */
	String body(HttpStatusCode status, String detail);

}

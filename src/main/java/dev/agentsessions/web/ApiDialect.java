package dev.agentsessions.web;

import java.util.List;
import java.util.Optional;

import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * An API that the service speaks. Its controllers say what it does; this says what has to
 * be known of it before a controller is found, or where none is.
 */
public interface ApiDialect {

	/**
	 * Whether a path is one of its own. Of several dialects, the first one counts.
	 * @param path the path, decoded, or as it was sent if it cannot be decoded
	 */
	boolean owns(String path);

	/**
	 * The app that one of its paths is about; empty if it names none.
	 * @param path the path, decoded
	 */
	Optional<String> appName(String path);

	/**
	 * Which of its paths anybody may call, whoever they are, as patterns of Spring.
	 */
	List<String> publicPaths();

	/**
	 * How large the body of a request may be.
	 * @param usual the limit of dialects that have none of their own
	 */
	default BodyLimit bodyLimit(BodyLimit usual) {
		return usual;
	}

	/** The content type of its errors. */
	MediaType errorType();

	/**
	 * The body of an error that no controller answers, as an object for Jackson.
	 * @param detail what a person should know
	 * @param requestId the id of the request
	 */
	Object error(HttpStatusCode status, String detail, String requestId);

}

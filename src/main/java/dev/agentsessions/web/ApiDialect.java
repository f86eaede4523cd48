package dev.agentsessions.web;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;

/**
 * An API dialect of the service. Its controllers handle requests. This interface provides
 * what must be known before a controller is found, or if no controller is found.
 */
public interface ApiDialect {

	/**
	 * Returns whether a path belongs to this dialect. Of several dialects, the first one
	 * counts.
	 * @param path the decoded path, or the path as sent if it cannot be decoded
	 */
	boolean owns(String path);

	/**
	 * Returns the app that a path of this dialect names; empty if the path names none.
	 * @param path the decoded path
	 */
	Optional<String> appName(String path);

	/** Returns the paths that need no credentials, as path patterns of Spring. */
	List<String> publicPaths();

	/**
	 * Returns the size limit of the body of a request.
	 * @param defaultLimit the limit for dialects without a limit of their own
	 */
	default BodyLimit bodyLimit(BodyLimit defaultLimit) {
		return defaultLimit;
	}

	/**
	 * Returns how much memory this dialect needs for what it makes of an event until it
	 * is written. The store takes that memory before it hands the event out.
	 */
	TranslationCost translationCost();

	/** Returns the content type of error responses. */
	default MediaType errorType() {
		return MediaType.APPLICATION_PROBLEM_JSON;
	}

	/**
	 * Returns the body of an error response for a request that no controller handles, as
	 * an object for Jackson.
	 * @param detail the message for people
	 * @param requestId the id of the request
	 */
	Object error(HttpStatusCode status, String detail, String requestId);

	/** Finds the dialect of a request. */
	@Component
	class ApiDialects {

		private final List<ApiDialect> dialects;

		public ApiDialects(List<ApiDialect> dialects) {
			this.dialects = dialects;
		}

		/**
		 * Returns the dialect of a path.
		 * @param path the decoded path, or the path as sent if it cannot be decoded
		 */
		public ApiDialect of(String path) {
			for (ApiDialect dialect : this.dialects) {
				if (dialect.owns(path)) {
					return dialect;
				}
			}
			throw new IllegalStateException("No dialect has the path " + path);
		}

		/**
		 * Returns the dialect of a request. Uses the decoded path, in which an app has
		 * one name only.
		 */
		public ApiDialect of(HttpServletRequest request) {
			return of(request.getServletPath());
		}

		/** Returns the app that the path of a request names; blank if it names none. */
		public String appName(HttpServletRequest request) {
			return of(request).appName(request.getServletPath()).orElse("");
		}

		/** Returns the paths that need no credentials, as path patterns of Spring. */
		public Stream<String> publicPaths() {
			return this.dialects.stream().map(ApiDialect::publicPaths).flatMap(List::stream);
		}

	}

	/**
	 * The size limit of the body of a request.
	 *
	 * @param bytes the maximum size in bytes, at most 1 GB
	 * @param setting the name of the setting with the limit
	 */
	record BodyLimit(long bytes, String setting) {

		/**
		 * Returns whether the body of a request is compressed. Its size may then expand.
		 */
		public static boolean isGzip(HttpServletRequest request) {
			String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
			return encoding != null && encoding.strip().equalsIgnoreCase("gzip");
		}

		/**
		 * Refuses a body that is larger than the limit.
		 * @param length the size of the body in bytes
		 * @throws SessionException.TooLarge if the body is larger
		 */
		public void check(long length) {
			if (length > this.bytes) {
				throw new SessionException.TooLarge("The body", this.bytes, "bytes", this.setting);
			}
		}

	}

}

package dev.agentsessions.web;

import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

/** Finds the dialect of a request. */
@Component
public class ApiDialects {

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
	 * Returns the dialect of a request. Uses the decoded path, in which an app has one
	 * name only.
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

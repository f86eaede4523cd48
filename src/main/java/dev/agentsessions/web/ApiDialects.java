package dev.agentsessions.web;

import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

/** Knows which dialect a request speaks. */
@Component
public class ApiDialects {

	private final List<ApiDialect> dialects;

	public ApiDialects(List<ApiDialect> dialects) {
		this.dialects = dialects;
	}

	/**
	 * The dialect of a path.
	 * @param path the path, decoded, or as it was sent if it cannot be decoded
	 */
	public ApiDialect of(String path) {
		return this.dialects.stream().filter((dialect) -> dialect.owns(path)).findFirst().orElseThrow();
	}

	/** The dialect of a request. In a decoded path, an app has one name only. */
	public ApiDialect of(HttpServletRequest request) {
		return of(request.getServletPath());
	}

	/** The app that a request is about, by its path; blank if it is about none. */
	public String appName(HttpServletRequest request) {
		return of(request).appName(request.getServletPath()).orElse("");
	}

	/** The paths that anybody may call, as patterns. */
	public Stream<String> publicPaths() {
		return this.dialects.stream().map(ApiDialect::publicPaths).flatMap(List::stream);
	}

}

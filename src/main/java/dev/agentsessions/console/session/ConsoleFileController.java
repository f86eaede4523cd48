package dev.agentsessions.console.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.DigestUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.web.ConsoleAccess;

/**
 * Serves the static files of the pages. Only known names are looked up, because Spring
 * caches each name in memory. A file is read at its first request.
 */
@Controller
class ConsoleFileController {

	private static final String OWN_FILES = "classpath:/static/console/";

	private static final String HTMX = "classpath*:/META-INF/resources/webjars/htmx.org/*/dist/htmx.min.js";

	private static final String SCRIPT = "text/javascript;charset=UTF-8";

	private static final Map<String, String> TYPES = Map.of("console.css", "text/css;charset=UTF-8", "console.js",
			SCRIPT, "copy.js", SCRIPT, "keys.js", SCRIPT, "htmx.js", SCRIPT, "icon.svg", "image/svg+xml");

	private final Map<String, byte[]> files = new ConcurrentHashMap<>();

	/** Returns a file. A browser revalidates its copy by the ETag. */
	@GetMapping(ConsoleAccess.FILES + "{name}")
	ResponseEntity<byte[]> file(@PathVariable String name) {
		String type = TYPES.get(name);
		if (type == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such file");
		}
		byte[] file = this.files.computeIfAbsent(name, ConsoleFileController::read);
		return ResponseEntity.ok()
			.contentType(MediaType.parseMediaType(type))
			.cacheControl(CacheControl.noCache())
			.eTag(DigestUtils.md5DigestAsHex(file))
			.body(file);
	}

	private static byte[] read(String name) {
		String location = name.equals("htmx.js") ? HTMX : OWN_FILES + name;
		try {
			Resource[] found = new PathMatchingResourcePatternResolver().getResources(location);
			try (InputStream file = found[0].getInputStream()) {
				return file.readAllBytes();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

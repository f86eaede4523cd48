package dev.agentsessions.console.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

	private static final String WEB_JARS = "classpath*:/META-INF/resources/webjars/";

	private static final Map<String, String> LIBRARIES = Map.of("htmx.js", "htmx.org/*/dist/htmx.min.js", "pico.css",
			"picocss__pico/*/css/pico.min.css");

	private static final String SCRIPT = "text/javascript;charset=UTF-8";

	private static final String STYLE = "text/css;charset=UTF-8";

	private static final String IMAGE = "image/svg+xml";

	private static final Map<String, String> TYPES = Map.of("console.css", STYLE, "pico.css", STYLE, "console.js",
			SCRIPT, "copy.js", SCRIPT, "keys.js", SCRIPT, "htmx.js", SCRIPT, "icon.svg", IMAGE, "icons.svg", IMAGE);

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
		String library = LIBRARIES.get(name);
		String location = (library != null) ? WEB_JARS + library : OWN_FILES + name;
		try {
			Resource[] found = new PathMatchingResourcePatternResolver().getResources(location);
			try (InputStream file = found[0].getInputStream()) {
				return name.equals("pico.css") ? layer(file.readAllBytes()) : file.readAllBytes();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A rule outside of the layer wins over any rule of the library. The policy of the
	 * pages forbids pictures in {@code data:} addresses.
	 */
	private static byte[] layer(byte[] style) {
		String rules = new String(style, StandardCharsets.UTF_8).replaceAll("url\\(\"data:[^\"]*\"\\)", "none");
		return ("@layer library {" + rules + "}").getBytes(StandardCharsets.UTF_8);
	}

}

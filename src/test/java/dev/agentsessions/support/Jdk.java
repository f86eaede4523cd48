package dev.agentsessions.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;

/** The JDKs of this machine. */
public final class Jdk {

	private static final Path INSTALLED = Path.of("/usr/lib/jvm");

	private Jdk() {
	}

	/**
	 * The command {@code java} of a version, from the running JDK, a variable such as
	 * {@code JAVA_HOME_25_X64} or Debian's folder. Without it, the calling test is
	 * skipped.
	 */
	public static Path java(int version) {
		Stream<Path> variables = System.getenv()
			.entrySet()
			.stream()
			.filter((variable) -> variable.getKey().startsWith("JAVA_HOME"))
			.map(Map.Entry::getValue)
			.map(Path::of);
		return Stream.concat(Stream.concat(Stream.of(Path.of(System.getProperty("java.home"))), variables), installed())
			.filter((home) -> version(home).matches(version + "\\b.*"))
			.map((home) -> home.resolve("bin/java"))
			.findFirst()
			.orElseGet(
					() -> skip("NOT TESTED: no JDK " + version + " in JAVA_HOME_" + version + "_X64 or " + INSTALLED));
	}

	private static Path skip(String reason) {
		System.err.println(reason);
		return Assumptions.abort(reason);
	}

	private static Stream<Path> installed() {
		try (Stream<Path> homes = Files.isDirectory(INSTALLED) ? Files.list(INSTALLED) : Stream.empty()) {
			return homes.sorted().toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String version(Path home) {
		Path release = home.resolve("release");
		if (!Files.isReadable(release)) {
			return "";
		}
		try (InputStream lines = Files.newInputStream(release)) {
			Properties properties = new Properties();
			properties.load(lines);
			return properties.getProperty("JAVA_VERSION", "").replace("\"", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

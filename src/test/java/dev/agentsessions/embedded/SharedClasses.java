package dev.agentsessions.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.agentsessions.AgentSessionsApplication;

/**
 * The classes that a start of the program loads, as the JVM has linked them: one start
 * writes them to a file, and each further start then takes half of the processor time.
 * The JVM can only do this for classes in jars, so that the program is what Maven has
 * packaged.
 */
final class SharedClasses {

	private static final Path TARGET = ServiceProcess.PACKAGED.getParent();

	private static final String CLASS_PATH = Stream.concat(Stream.of(ServiceProcess.PACKAGED.toString()),
			Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
				.filter((entry) -> entry.endsWith(".jar")))
		.collect(Collectors.joining(File.pathSeparator));

	private static final Path ARCHIVE = TARGET.resolve("program-" + Runtime.version().feature() + ".jsa");

	private SharedClasses() {
	}

	/** The arguments of a JVM that runs the program with its embedded database. */
	static List<String> program(Path java) {
		try (FileChannel lock = FileChannel.open(TARGET.resolve("program.lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE)) {
			// Tests run in several processes; the lock ends with the file
			lock.lock();
			if (!isUpToDate()) {
				write(java);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return program("-XX:SharedArchiveFile=" + ARCHIVE);
	}

	private static boolean isUpToDate() throws IOException {
		return Files.exists(ARCHIVE)
				&& Files.getLastModifiedTime(ARCHIVE).compareTo(Files.getLastModifiedTime(ServiceProcess.PACKAGED)) > 0;
	}

	private static void write(Path java) throws IOException {
		Files.deleteIfExists(ARCHIVE);
		Path folder = Files.createTempDirectory(TARGET, "first-start");
		try (ServiceProcess first = ServiceProcess.start(java, folder, program("-XX:ArchiveClassesAtExit=" + ARCHIVE),
				"--server.port=0")) {
			first.http();
		}
	}

	private static List<String> program(String option) {
		return List.of(option, "-cp", CLASS_PATH, AgentSessionsApplication.class.getName());
	}

}

package dev.agentsessions.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

import dev.agentsessions.startup.StartupException;

/**
 * The folder of a database, locked by this program. The lock ends with the program, even
 * if the program is killed. The database that the program has started may survive; then
 * the next owner of the folder stops it.
 */
final class DataDirectory implements AutoCloseable {

	private static final String IN_USE_ACTION = """
			Stop the other service, or give this one a folder of its own with agent-sessions.embedded.data-directory \
			(environment variable AGENTSESSIONS_EMBEDDED_DATADIRECTORY), or let both use one PostgreSQL with \
			SPRING_DATASOURCE_URL.""";

	private static final Logger logger = LoggerFactory.getLogger(DataDirectory.class);

	private static final int STOP_TIMEOUT_SECONDS = 30;

	private final Path path;

	private final boolean temporary;

	private final FileChannel lockFile;

	private DataDirectory(Path path, boolean temporary, FileChannel lockFile) {
		this.path = path;
		this.temporary = temporary;
		this.lockFile = lockFile;
	}

	/** Creates and locks a folder that is deleted at exit. */
	static DataDirectory temporary() throws IOException {
		return lock(Files.createTempDirectory("agent-sessions-"), true);
	}

	/**
	 * Locks a folder, created if it does not exist.
	 * @throws StartupException if another program has locked it
	 */
	static DataDirectory lock(Path path) throws IOException {
		Files.createDirectories(path);
		return lock(path.toAbsolutePath().normalize(), false);
	}

	static StartupException inUse(Path path) {
		return new StartupException("The folder " + path + " is in use by another running service.", IN_USE_ACTION);
	}

	private static DataDirectory lock(Path path, boolean temporary) throws IOException {
		FileChannel lockFile = FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE);
		FileLock lock = lockFile.tryLock();
		if (lock == null) {
			lockFile.close();
			throw inUse(path);
		}
		DataDirectory directory = new DataDirectory(path, temporary, lockFile);
		directory.stopLeftOver();
		return directory;
	}

	/** Returns the folder of the database files. */
	Path postgres() {
		return this.path.resolve("postgres");
	}

	/** Returns the log file of the database. */
	Path log() {
		return this.path.resolve("postgresql.log");
	}

	private void stopLeftOver() throws IOException {
		Optional<ProcessHandle> leftOver = postmaster();
		if (leftOver.isPresent()) {
			logger.info("Stopping the database that was left running in {}", this.path);
			leftOver.get().destroy();
			leftOver.get().onExit().orTimeout(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
		}
	}

	private Optional<ProcessHandle> postmaster() throws IOException {
		Path pidFile = postgres().resolve("postmaster.pid");
		if (Files.notExists(pidFile)) {
			return Optional.empty();
		}
		long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).strip());
		return ProcessHandle.of(pid).filter(this::isPostmaster);
	}

	/** By now the process id may belong to another process, even to another database. */
	private boolean isPostmaster(ProcessHandle process) {
		boolean postgres = process.info().command().filter((command) -> command.contains("postgres")).isPresent();
		boolean otherFolder = process.info()
			.arguments()
			.filter((arguments) -> !List.of(arguments).contains(postgres().toString()))
			.isPresent();
		return postgres && !otherFolder;
	}

	@Override
	public void close() throws IOException {
		this.lockFile.close();
		if (this.temporary) {
			FileSystemUtils.deleteRecursively(this.path);
		}
	}

	@Override
	public String toString() {
		return this.path + (this.temporary ? ", gone at exit" : "");
	}

}

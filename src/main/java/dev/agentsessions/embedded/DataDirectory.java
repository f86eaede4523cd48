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

/**
 * The folder of a database, held by this program alone. The lock goes with the program,
 * even if it is killed; the database it has started may live on, and is stopped by the
 * next owner of the folder.
 */
final class DataDirectory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DataDirectory.class);

	private static final int SECONDS_TO_STOP = 30;

	private final Path path;

	private final boolean temporary;

	private final FileChannel lockFile;

	private DataDirectory(Path path, boolean temporary, FileChannel lockFile) {
		this.path = path;
		this.temporary = temporary;
		this.lockFile = lockFile;
	}

	/** Makes a folder that is gone at the end. */
	static DataDirectory temporary() throws IOException {
		return hold(Files.createTempDirectory("agent-sessions-"), true);
	}

	/**
	 * Takes hold of a folder, made if it is not there.
	 * @throws DataDirectoryInUseException if another program holds it
	 */
	static DataDirectory hold(Path path) throws IOException {
		Files.createDirectories(path);
		return hold(path.toAbsolutePath().normalize(), false);
	}

	private static DataDirectory hold(Path path, boolean temporary) throws IOException {
		FileChannel lockFile = FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE);
		FileLock lock = lockFile.tryLock();
		if (lock == null) {
			lockFile.close();
			throw new DataDirectoryInUseException(path);
		}
		DataDirectory directory = new DataDirectory(path, temporary, lockFile);
		directory.stopLeftOver();
		return directory;
	}

	/** Where the database keeps its files. */
	Path postgres() {
		return this.path.resolve("postgres");
	}

	/** Where the database writes what it says. */
	Path log() {
		return this.path.resolve("postgresql.log");
	}

	private void stopLeftOver() throws IOException {
		Optional<ProcessHandle> leftOver = postmaster();
		if (leftOver.isPresent()) {
			logger.info("Stopping the database that was left running in {}", this.path);
			leftOver.get().destroy();
			leftOver.get().onExit().orTimeout(SECONDS_TO_STOP, TimeUnit.SECONDS).join();
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

	/** By now the number may be that of another process, even of another database. */
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

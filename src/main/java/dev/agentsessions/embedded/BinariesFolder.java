package dev.agentsessions.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.jspecify.annotations.Nullable;

/**
 * Where the programs of PostgreSQL are unpacked, once for all starts: a folder that
 * nobody but this user can write to or read. They would run whatever somebody else has
 * put there.
 */
final class BinariesFolder {

	private BinariesFolder() {
	}

	/**
	 * The folder, made if it is not there.
	 * @param caches where this user's programs keep what they can make again, as the
	 * variable {@code XDG_CACHE_HOME} says; {@code null} for {@code .cache}
	 * @param home the home of this user
	 */
	static Path in(@Nullable String caches, String home) throws IOException {
		Path parent = (caches != null && !caches.isBlank()) ? Path.of(caches) : Path.of(home, ".cache");
		Path folder = Files.createDirectories(parent.toAbsolutePath().resolve("agent-sessions"));
		if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
			// Fails if the folder is somebody else's
			Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
		}
		return folder;
	}

}

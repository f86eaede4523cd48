package dev.agentsessions.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.jspecify.annotations.Nullable;

/**
 * The folder where the programs of PostgreSQL are unpacked, once for all starts. Only
 * this user can read and write it; otherwise this user would run programs that another
 * user has put there.
 */
final class BinariesFolder {

	private BinariesFolder() {
	}

	/**
	 * Returns the folder, created if it does not exist.
	 * @param caches the cache folder of this user from the variable {@code
	 * XDG_CACHE_HOME}; {@code null} for {@code .cache}
	 * @param home the home folder of this user
	 */
	static Path in(@Nullable String caches, String home) throws IOException {
		Path parent = (caches != null && !caches.isBlank()) ? Path.of(caches) : Path.of(home, ".cache");
		Path folder = Files.createDirectories(parent.toAbsolutePath().resolve("agent-sessions"));
		if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
			// Fails if another user owns the folder
			Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
		}
		return folder;
	}

}

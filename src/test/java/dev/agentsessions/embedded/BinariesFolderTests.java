package dev.agentsessions.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.EmbeddedDatabase.BinariesFolder;

/** The programs of the embedded database are this user's alone. */
class BinariesFolderTests {

	@TempDir
	private Path home;

	@Test
	void isThisUsersAlone() throws IOException {
		Path folder = BinariesFolder.in(null, this.home.toString());
		assertThat(folder).isEqualTo(this.home.resolve(".cache/agent-sessions"));
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))).isEqualTo("rwx------");
	}

	@Test
	void isClosedToOthersIfItWasOpen() throws IOException {
		Path open = Files.createDirectory(this.home.resolve("agent-sessions"));
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		Path folder = BinariesFolder.in(this.home.toString(), "/nowhere");
		assertThat(folder).isEqualTo(open);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))).isEqualTo("rwx------");
	}

}

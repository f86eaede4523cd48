package dev.agentsessions.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.support.HttpTest;

/** Takes hold of folders of databases. */
@HttpTest
class DataDirectoryTests {

	private final JdbcTemplate database;

	@TempDir
	private Path folder;

	DataDirectoryTests(JdbcTemplate database) {
		this.database = database;
	}

	@Test
	void leavesAnotherDatabaseAloneThatHasGotTheOldNumber() throws IOException {
		Path other = Path.of(this.database.queryForObject("show data_directory", String.class));
		Files.createDirectory(this.folder.resolve("postgres"));
		Files.copy(other.resolve("postmaster.pid"), this.folder.resolve("postgres/postmaster.pid"));

		DataDirectory.lock(this.folder).close();

		assertThat(this.database.queryForObject("select 1", int.class)).isOne();
	}

}

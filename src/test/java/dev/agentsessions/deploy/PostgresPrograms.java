package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** PostgreSQL as people have it installed, with a server of its own in a folder. */
final class PostgresPrograms implements AutoCloseable {

	private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

	private final Path folder;

	private final Map<String, String> environment = new HashMap<>();

	private PostgresPrograms(Path folder, Path programs, int port) throws IOException {
		this.folder = folder;
		Path wrappers = Files.createDirectory(folder.resolve("bin"));
		if (System.getProperty("user.name").equals("root")) {
			for (String name : List.of("initdb", "pg_ctl")) {
				// They do not run as root
				Path wrapper = Files.writeString(wrappers.resolve(name),
						"#!/bin/sh\nexec unshare -U " + programs.resolve(name) + " \"$@\"\n");
				Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
			}
		}
		this.environment.put("PATH", wrappers + ":" + programs + ":" + System.getenv("PATH"));
		this.environment.putAll(Map.of("PGHOST", "127.0.0.1", "PGPORT", Integer.toString(port), "PGUSER", "postgres"));
	}

	/** Where the newest version is, if one with all its programs is installed. */
	static Optional<Path> find() throws IOException {
		if (!Files.isDirectory(INSTALLED)) {
			return Optional.empty();
		}
		try (Stream<Path> versions = Files.list(INSTALLED)) {
			return versions.map((version) -> version.resolve("bin"))
				.filter((bin) -> Stream.of("initdb", "psql", "pg_basebackup")
					.allMatch((name) -> Files.isExecutable(bin.resolve(name))))
				.max(Comparator.comparing((bin) -> Integer.valueOf(bin.getParent().getFileName().toString())));
		}
	}

	/**
	 * Starts a server.
	 * @param settings further lines of its configuration
	 */
	static PostgresPrograms start(Path folder, Path programs, int port, String settings) throws IOException {
		PostgresPrograms server = new PostgresPrograms(folder, programs, port);
		server.run("initdb --auth=trust --username=postgres --pgdata=server");
		Files.writeString(folder.resolve("server/postgresql.auto.conf"),
				settings + "unix_socket_directories = ''\nport = " + port + "\n");
		server.run("pg_ctl --pgdata=server --wait --log=server.log start");
		return server;
	}

	/** Sets a variable for what is run from now on. */
	void set(String name, Object value) {
		this.environment.put(name, value.toString());
	}

	/** Runs commands in the folder, and answers what they print. */
	String run(String commands) {
		Path printed = this.folder.resolve("printed");
		ProcessBuilder bash = new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands)
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			// Not a pipe: servers that are started would hold it open
			.redirectOutput(printed.toFile());
		bash.environment().putAll(this.environment);
		try {
			Process process = bash.start();
			process.getOutputStream().close();
			process.onExit().join();
			assertThat(process.exitValue()).as("%s%n%s", commands, Files.readString(printed)).isZero();
			return Files.readString(printed).strip();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		run("""
				for data in server point-in-time; do
				  [ ! -f $data/postmaster.pid ] || pg_ctl --pgdata=$data --mode=immediate stop
				done""");
	}

}

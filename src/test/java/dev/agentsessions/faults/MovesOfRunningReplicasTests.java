package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Names;

/** Buckets are moved while two replicas serve their users, and processes die. */
@Tag("slow")
class MovesOfRunningReplicasTests {

	private static final String APP = "/apps/moves";

	private static final int USERS = 12;

	@TempDir
	private Path folder;

	private Database main;

	private Database b;

	private List<ServiceProcess> replicas;

	@BeforeEach
	void start() {
		this.main = new Database(this.folder.resolve("main"));
		this.b = new Database(this.folder.resolve("b"));
		this.replicas = List.of(replica(), replica());
		IntStream.range(0, USERS).forEach((user) -> http(0).post(session(user), "{}").ok());
	}

	private ServiceProcess replica() {
		return ServiceProcess.start(this.folder, arguments());
	}

	private String[] arguments() {
		return this.main.arguments("--agent-sessions.servers.b.url=" + this.b.url(),
				"--agent-sessions.servers.b.username=" + Database.SUPERUSER);
	}

	@AfterEach
	void stop() {
		this.replicas.forEach(ServiceProcess::close);
		this.main.close();
		this.b.close();
	}

	private Http http(int request) {
		return this.replicas.get(request % this.replicas.size()).http();
	}

	/** The session of a user in the bucket with this number. */
	private static String session(int bucket) {
		return APP + "/users/" + Names.userIn(bucket, "moves", "u") + "/sessions/s" + bucket;
	}

	/** Each request of a user goes to the other replica than the one before. */
	@Test
	void eachReplicaAnswersAsIfNothingMoved() throws Exception {
		AtomicBoolean moving = new AtomicBoolean(true);
		List<CompletableFuture<Integer>> writers = IntStream.range(0, USERS)
			.mapToObj((user) -> CompletableFuture.supplyAsync(() -> appendWhile(moving, user)))
			.toList();
		CompletableFuture<Void> lists = CompletableFuture.runAsync(() -> listWhile(moving));
		try {
			killWhileItMoves("0-15", "b");
			assertThat(move("0-15", "b")).contains("Bucket 15 is on b instead of main");
			assertThat(move("0-15", "main")).contains("Bucket 15 is on main instead of b");
		}
		finally {
			moving.set(false);
		}
		for (int user = 0; user < USERS; user++) {
			int appended = writers.get(user).join();
			assertThat(events(user, user)).isEqualTo(appended).isPositive();
		}
		lists.join();
		assertThat(count(this.b, "select count(*) from sessions")).isZero();
		this.replicas.forEach(ServiceProcess::stop);
		assertThat(count(this.main, "select count(*) from replicas")).isZero();
	}

	private int appendWhile(AtomicBoolean moving, int user) {
		int appended = 0;
		int request = 0;
		while (moving.get()) {
			String etag = http(request++).get(session(user)).ok().header("ETag").orElseThrow();
			http(request++).post(session(user) + "/events", "{\"author\":\"a\"}", "If-Match", etag).ok();
			appended++;
			assertThat(events(user, request++)).isEqualTo(appended);
		}
		return appended;
	}

	private int events(int user, int request) {
		return http(request).get(session(user)).ok().json().at("/events").size();
	}

	private void listWhile(AtomicBoolean moving) {
		for (int request = 0; moving.get(); request++) {
			List<String> ids = new ArrayList<>();
			http(request).get(APP + "/sessions?limit=100")
				.ok()
				.json()
				.forEach((session) -> ids.add(session.at("/id").asString()));
			assertThat(ids).hasSize(USERS).doesNotHaveDuplicates();
		}
	}

	private void killWhileItMoves(String buckets, String to) throws Exception {
		Process command = command(buckets, to);
		Awaitility.await()
			.atMost(2, TimeUnit.MINUTES)
			.until(() -> count(this.main, "select count(*) from buckets") > 5);
		command.destroyForcibly().waitFor();
	}

	private String move(String buckets, String to) throws Exception {
		command(buckets, to).waitFor();
		return Files.readString(log(), StandardCharsets.UTF_8);
	}

	private Process command(String buckets, String to) throws Exception {
		List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(), "-jar",
				ServiceProcess.PACKAGED.toString(), "--move-buckets=" + buckets, "--to=" + to));
		command.addAll(List.of(arguments()));
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile()).start();
	}

	private Path log() {
		return this.folder.resolve("move.log");
	}

	private static int count(Database database, String sql) throws SQLException {
		try (Connection connection = database.connect();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getInt(1);
		}
	}

}

package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.EventSource.Message;
import dev.agentsessions.support.Http;

/**
 * Watches over two replicas on one database: nothing is missing and nothing comes twice.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class WatchReplicasTests {

	private static final String FILL = """
			insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
			select session_key, n, 'e' || n, now(), now(), 'agent', 'i', %2$d + 50,
			  json_build_object('id', 'e' || n, 'invocationId', 'i', 'author', 'agent', 'timestamp', 1, 'text', repeat('x', %2$d))
			from sessions, generate_series(1, %1$d) as n where sessions.id = '%3$s'
			""";

	private Path folder;

	private Database database;

	private ServiceProcess first;

	/** The other replica, in tests that need one. */
	private @Nullable ServiceProcess second;

	private Http http;

	private String session;

	private String watch;

	@BeforeAll
	void start(@TempDir Path temporary) {
		this.folder = temporary;
		this.database = new Database(this.folder.resolve("postgres"));
		this.first = ServiceProcess.start(this.folder, this.database.arguments());
		this.http = this.first.http();
	}

	@AfterAll
	void stop() {
		this.first.close();
		this.database.close();
	}

	@BeforeEach
	void create(TestInfo test) {
		this.session = "/apps/a/users/u/sessions/" + test.getTestMethod().orElseThrow().getName();
		this.watch = this.session + "/events:watch";
		this.http.post(this.session, "{}").ok();
	}

	@AfterEach
	void stopSecond() {
		if (this.second != null) {
			this.second.close();
			this.second = null;
		}
	}

	private ServiceProcess startSecond() {
		this.second = ServiceProcess.start(this.folder, this.database.arguments("--agent-sessions.drain-period=3s"));
		return this.second;
	}

	@Test
	void showWhatTheOtherReplicaAppends() {
		try (EventSource watch = EventSource.open(startSecond().http().port(), this.watch)) {
			for (long seq = 1; seq <= 5; seq++) {
				append();
				assertThat(watch.next().seq()).isEqualTo(seq);
			}
			this.http.delete(this.session);
			assertThat(watch.next().type()).isEqualTo("end");
		}
	}

	@Test
	void goOnAtTheOtherReplicaWhenOneIsKilled() {
		ServiceProcess second = startSecond();
		int port = second.http().port();
		AtomicBoolean goesOn = new AtomicBoolean(true);
		CompletableFuture<Long> writer = CompletableFuture.supplyAsync(() -> {
			long written = 0;
			while (goesOn.get()) {
				append();
				written++;
			}
			return written;
		});
		List<Long> shown = new ArrayList<>();
		try (EventSource watch = EventSource.open(port, this.watch + "?afterSeq=0")) {
			shown.addAll(watch.nextIds(200));
			second.kill();
			Message message = watch.next();
			while (!message.isEndOfStream()) {
				shown.add(message.seq());
				message = watch.next();
			}
		}
		long last = shown.get(shown.size() - 1);
		try (EventSource watch = EventSource.open(this.http.port(), this.watch, "Last-Event-ID", Long.toString(last))) {
			shown.addAll(watch.nextIds(100));
			goesOn.set(false);
			long written = writer.join();
			shown.addAll(watch.nextIds((int) (written - shown.size())));
			assertThat(shown).containsExactlyElementsOf(LongStream.rangeClosed(1, written).boxed().toList());
		}
	}

	@Test
	void endWithoutAnEndWhenTheirReplicaEnds() {
		ServiceProcess second = startSecond();
		try (EventSource watch = EventSource.open(second.http().port(), this.watch)) {
			append();
			assertThat(watch.next().seq()).isEqualTo(1);
			second.terminate();
			append();
			assertThat(watch.next().seq()).isEqualTo(2);
			assertThat(watch.next().isEndOfStream()).isTrue();
		}
		assertThat(second.exitCode()).isEqualTo(143);
	}

	@Test
	void showALongHistoryInOrder() throws SQLException {
		fill(100_000, 200);
		try (EventSource watch = EventSource.open(this.http.port(), this.watch + "?afterSeq=0")) {
			assertThat(watch.nextIds(100_000))
				.containsExactlyElementsOf(LongStream.rangeClosed(1, 100_000).boxed().toList());
		}
	}

	/**
	 * Far more than what the network and the heap hold, for each of them. The one who
	 * reads in the end would take a minute with as small a buffer as the others.
	 */
	@Test
	void waitForNobodyWhoDoesNotRead() throws Exception {
		fill(2_000, 100_000);
		List<Socket> slow = new ArrayList<>();
		slow.add(begin(1 << 16));
		for (int number = 1; number < 100; number++) {
			slow.add(begin(4096));
		}
		try (EventSource watch = EventSource.open(this.http.port(), this.watch)) {
			append();
			Optional<Message> shown = watch.next(Duration.ofSeconds(3));
			assertThat(shown).map(Message::seq).hasValue(2001L);
			assertThat(this.first.liveBytes()).isLessThan(180L << 20);
			assertThat(ids(slow.get(0).getInputStream(), 2001))
				.containsExactlyElementsOf(LongStream.rangeClosed(0, 2001).boxed().toList());
		}
		assertThat(this.first.log()).doesNotContain("OutOfMemoryError", "ERROR");
		for (Socket socket : slow) {
			socket.close();
		}
	}

	private Socket begin(int receiveBuffer) throws Exception {
		Socket socket = new Socket();
		socket.setReceiveBufferSize(receiveBuffer);
		socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.http.port()));
		socket.getOutputStream()
			.write(("GET " + this.watch + "?afterSeq=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	/** Reads until an id has come. The first one says where the stream begins. */
	private static List<Long> ids(InputStream stream, long last) throws Exception {
		Pattern id = Pattern.compile("(?m)^id: (\\d+)(?:\\.\\d+)?$");
		List<Long> ids = new ArrayList<>();
		StringBuilder text = new StringBuilder();
		byte[] piece = new byte[1 << 16];
		while (ids.isEmpty() || ids.get(ids.size() - 1) < last) {
			int length = stream.read(piece);
			assertThat(length).isPositive();
			text.append(new String(piece, 0, length, StandardCharsets.ISO_8859_1));
			int end = text.lastIndexOf("\n\n");
			if (end >= 0) {
				id.matcher(text.substring(0, end))
					.results()
					.map((MatchResult match) -> Long.valueOf(match.group(1)))
					.forEach(ids::add);
				text.delete(0, end);
			}
		}
		return ids;
	}

	private void fill(int events, int characters) throws SQLException {
		String id = this.session.substring(this.session.lastIndexOf('/') + 1);
		try (Connection connection = this.database.connect(); Statement statement = connection.createStatement()) {
			statement.execute(FILL.formatted(events, characters, id));
			statement.execute("""
					update sessions set revision = %d, last_update_time = (
					  select max(commit_time) from events where events.session_key = sessions.session_key)
					where id = '%s'
					""".formatted(events, id));
			statement.execute("analyze");
		}
	}

	private void append() {
		this.http.post(this.session + "/events", "{\"author\":\"a\"}").ok();
	}

}

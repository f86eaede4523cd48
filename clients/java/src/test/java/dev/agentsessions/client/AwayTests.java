// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests that the client waits for an unreachable service, unless waiting does not help.
 */
@Timeout(300)
class AwayTests {

	private static final Logger LOGGER = Logger.getLogger(AgentSessionService.class.getName());

	private final List<String> logged = new CopyOnWriteArrayList<>();

	private final AtomicReference<Cutter> back = new AtomicReference<>();

	/** The port on which the service starts after the first failure, or 0. */
	private int port;

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord line) {
			AwayTests.this.logged.add(line.getMessage());
			try {
				AwayTests.this.back.set((AwayTests.this.port > 0) ? new Cutter(AwayTests.this.port) : null);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	@BeforeEach
	void listen() {
		LOGGER.addHandler(this.handler);
		LOGGER.setUseParentHandlers(false);
	}

	@AfterEach
	void listenNoMore() throws IOException {
		LOGGER.removeHandler(this.handler);
		if (this.back.get() != null) {
			this.back.get().close();
		}
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_URL", matches = ".+")
	void waitsForAServiceThatIsAway() throws IOException {
		this.port = unusedPort();
		String address = "http://127.0.0.1:" + this.port;
		AgentSessionService service = AgentSessionService.builder().url(address).build();
		assertEquals("alice", service.createSession(Trip.APP, "alice").blockingGet().userId());
		assertEquals(1, this.logged.size());
		assertTrue(this.logged.get(0).startsWith("Agent Sessions at " + address + " cannot be reached, "), this.logged.get(0));
	}

	@Test
	void saysWhereNoServiceIs() throws IOException {
		String address = "http://127.0.0.1:" + unusedPort();
		AgentSessionService service = AgentSessionService.builder()
			.url(address.replace("//", "//alice:secret@") + "/")
			.unavailableTimeout(Duration.ofMillis(200))
			.build();
		for (int call = 0; call < 2; call++) {
			AgentSessionsException away = assertThrows(AgentSessionsException.class,
					() -> service.createSession("app", "alice").blockingGet());
			assertEquals("0 UNAVAILABLE", away.status() + " " + away.code());
			assertTrue(away.getMessage().startsWith(address + " could not be reached for 0.2 s: "), away.getMessage());
		}
		assertEquals(1, this.logged.size());
		assertFalse(this.logged.toString().contains("alice"));
	}

	@Test
	void failsAtOnceIfThereIsNoSuchHost() {
		assertFailsAtOnce("http://no-such-host.invalid");
	}

	@Test
	void failsAtOnceIfOnlyOneSideSpeaksTls() throws IOException {
		byte[] refusal = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
		assertFailsAtOnce("https://", refusal);
		byte[] alert = { 21, 3, 3, 0, 2, 2, 70 };
		assertFailsAtOnce("http://", alert);
	}

	private void assertFailsAtOnce(String scheme, byte[] answer) throws IOException {
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			new Thread(() -> answer(server, answer)).start();
			assertFailsAtOnce(scheme + "127.0.0.1:" + server.getLocalPort());
		}
	}

	/** Answers one connection and no other. */
	private static void answer(ServerSocket server, byte[] answer) {
		try (Socket client = server.accept(); InputStream in = client.getInputStream(); OutputStream out = client.getOutputStream()) {
			in.read(new byte[1000]);
			out.write(answer);
		}
		catch (IOException ex) {
			// The client has closed the connection.
		}
	}

	@Test
	void failsAtOnceIfTheCertificateIsNotTrusted(@TempDir Path folder) throws Exception {
		Path keys = folder.resolve("keys");
		String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
		Process process = new ProcessBuilder(keytool, "-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-storepass",
				"secret", "-keystore", keys.toString())
			.inheritIO()
			.start();
		assertEquals(0, process.waitFor());
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(keys)) {
			store.load(in, "secret".toCharArray());
		}
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(store, "secret".toCharArray());
		SSLContext tls = SSLContext.getInstance("TLS");
		tls.init(factory.getKeyManagers(), null, null);
		HttpsServer secured = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		secured.setHttpsConfigurator(new HttpsConfigurator(tls));
		secured.start();
		assertFailsAtOnce("https://localhost:" + secured.getAddress().getPort());
		secured.stop(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost:8080", "127.0.0.1:8080", "ftp://localhost", "http://", "/", "" })
	void refusesWhatIsNoAddress(String url) {
		AgentSessionService.Builder builder = AgentSessionService.builder().url(url);
		AgentSessionsException refused = assertThrows(AgentSessionsException.class, builder::build);
		assertEquals("INVALID_ARGUMENT", refused.code());
		assertTrue(refused.getMessage().endsWith("'" + url + "'"), refused.getMessage());
	}

	private void assertFailsAtOnce(String url) {
		AgentSessionService service = AgentSessionService.builder().url(url).unavailableTimeout(Duration.ofDays(1)).build();
		AgentSessionsException away = assertThrows(AgentSessionsException.class,
				() -> service.deleteSession("app", "alice", "s").blockingAwait());
		assertEquals("UNAVAILABLE", away.code());
		assertTrue(away.getMessage().startsWith(url + " cannot be reached: "), away.getMessage());
		assertEquals(List.of(), this.logged);
	}

	private static int unusedPort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}

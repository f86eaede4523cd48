package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.web.ErrorResponseException;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;
import dev.agentsessions.support.SlowSender;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.JsonLinesReader.BodyLines;
import dev.agentsessions.web.RequestHeapFilter.LineHeap;

/** A body of any length is read line by line. */
class JsonLinesReaderTests {

	private static final int LONGEST = 200_000;

	private static final String LONG = "é".repeat(LONGEST / 2);

	@Test
	void givesLinesOfEveryLength() {
		BodyLines lines = read("a\n\n" + LONG + "\r\nb\n" + LONG + "\nc");

		assertThat(lines.next()).isEqualTo("a");
		assertThat(lines.next()).isEmpty();
		assertThat(lines.next().strip()).isEqualTo(LONG);
		assertThat(lines.next()).isEqualTo("b");
		assertThat(lines.next()).isEqualTo(LONG);
		assertThat(lines.number()).isEqualTo(5);
		assertThat(lines.next()).isEqualTo("c");
		assertThat(lines.next()).isNull();
		assertThat(lines.next()).isNull();
		assertThat(lines.number()).isEqualTo(6);
	}

	@Test
	void goesOnBehindALineThatIsTooLongOrNoText() {
		BodyLines lines = read("a\n" + LONG.repeat(5) + "\n" + "b\n");
		assertThat(lines.next()).isEqualTo("a");
		assertThatExceptionOfType(SessionException.TooLarge.class).isThrownBy(lines::next)
			.withMessageContaining("the.setting");
		assertThat(lines.next()).isEqualTo("b");
		assertThat(lines.number()).isEqualTo(3);

		byte[] bytes = { 'a', (byte) 0xff, '\n', 'b' };
		BodyLines noText = read(new ByteArrayInputStream(bytes), Duration.ofMinutes(1));
		assertThatExceptionOfType(JsonException.Malformed.class).isThrownBy(noText::next);
		assertThat(noText.next()).isEqualTo("b");
	}

	@Test
	void endsWithALineThatIsTooLong() {
		BodyLines lines = read(LONG.repeat(5));
		assertThatExceptionOfType(SessionException.TooLarge.class).isThrownBy(lines::next);
		assertThat(lines.next()).isNull();
	}

	@Test
	void doesNotWaitForEverForALine() {
		InputStream slow = new ByteArrayInputStream("abc\n".getBytes(StandardCharsets.UTF_8));
		BodyLines lines = read(slow, Duration.ZERO);
		assertThatExceptionOfType(ErrorResponseException.class).isThrownBy(lines::next)
			.matches((ex) -> ex.getStatusCode().value() == 408);
	}

	@Test
	void refusesABodyThatArrivesWithLessThanTheLeastRate() throws IOException {
		try (PipedInputStream body = new PipedInputStream(); PipedOutputStream client = new PipedOutputStream(body)) {
			SlowSender sender = SlowSender.start(client, "\n", Duration.ofMillis(10));
			BodyLines lines = read(body, Duration.ofMillis(500));
			assertThat(lines.next()).isEmpty();
			assertThatExceptionOfType(ErrorResponseException.class).isThrownBy(() -> {
				for (int i = 0; i < 1000; i++) {
					lines.next();
				}
			}).matches((ex) -> ex.getStatusCode().value() == 408).withMessageContaining("500 bytes per second");
			sender.close();
		}
	}

	private static BodyLines read(String body) {
		return read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), Duration.ofMinutes(1));
	}

	private static BodyLines read(InputStream body, Duration timeout) {
		return new BodyLines(body, new BodyLimit(LONGEST + 10, "the.setting"), timeout,
				new LineHeap(new HeapBudget(1 << 20), LONGEST));
	}

}

package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.security.SecuredServiceTest;

/**
 * Requests whose line or headers Tomcat refuses. A line in the log at the level ERROR
 * makes a test fail, too.
 */
class InvalidHeadTests extends SecuredServiceTest {

	private static final String EVENTS = "/apps/shop/users/ann/sessions/s1/events";

	private static final int MAX_ATTEMPTS = 20;

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: abc", "Content-Length: -5", "Content-Length: +2",
			"Content-Length: 12345678901234567890", "Content-Length: ", "Content-Length: 2\r\nContent-Length: 3" })
	void anInvalidLengthIsAnErrorOfTheClient(String headers) throws IOException {
		String answer = send(headers);
		assertThat(RawRequest.status(answer)).as(answer).isEqualTo(400);
		assertThat(answer).contains("application/problem+json");
	}

	@ParameterizedTest
	@ValueSource(strings = { "gzip", "identity", "gzip, chunked" })
	void anUnknownTransferEncodingIsNamed(String encoding) throws IOException {
		String answer = send("Transfer-Encoding: " + encoding);
		assertThat(RawRequest.status(answer)).as(answer).isEqualTo(400);
		assertThat(answer).contains("The only Transfer-Encoding of a body is chunked");
	}

	/**
	 * The service closes the connection with the rest of the head unread. TCP may then
	 * drop the answer, and a client sends its request again.
	 */
	@Test
	void aHeadThatIsTooLargeIsAnErrorOfTheClient() throws IOException {
		String answer = "";
		for (int attempt = 0; attempt < MAX_ATTEMPTS && answer.isEmpty(); attempt++) {
			answer = send("Content-Length: 2\r\nX-Large: " + "x".repeat(70_000));
		}
		assertThat(RawRequest.status(answer)).as(answer).isEqualTo(400);
		assertThat(answer).contains("larger than the service reads");
	}

	private String send(String headers) throws IOException {
		return new RawRequest("POST", EVENTS, headers + "\r\n", "{}").send(port());
	}

}

package dev.agentsessions.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import jakarta.servlet.FilterChain;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.HttpTest;

import static org.assertj.core.api.Assertions.assertThat;

/** Only so many large bodies are there at once that the memory is enough for them. */
@HttpTest
class LargeBodiesTests {

	private static final DataSize LARGEST = DataSize.ofGigabytes(1);

	private final LargeBodies bodies;

	private final CountDownLatch end = new CountDownLatch(1);

	LargeBodiesTests(Rejections rejections) {
		HttpProperties properties = new HttpProperties(LARGEST, Duration.ofSeconds(30), Duration.ofSeconds(1),
				JsonDepth.MAX);
		this.bodies = new LargeBodies(new BodyLimits(properties, List.of()), rejections);
	}

	@Test
	void letsNoMoreInThanTheMemoryHoldsUntilOthersAreDone() throws Exception {
		long fitting = Math.max(1, Runtime.getRuntime().maxMemory() / 10 / LARGEST.toBytes());
		CountDownLatch begun = new CountDownLatch((int) fitting);
		FilterChain work = (request, response) -> {
			begun.countDown();
			awaitEnd();
		};
		CompletableFuture<?>[] others = new CompletableFuture<?>[(int) fitting];
		for (int i = 0; i < fitting; i++) {
			others[i] = CompletableFuture.runAsync(() -> send(LARGEST.toBytes(), work),
					(task) -> new Thread(task).start());
		}
		begun.await();
		FilterChain none = (request, response) -> {
			throw new AssertionError("There is no room for it");
		};
		MockHttpServletResponse refused = send(LARGEST.toBytes(), none);
		assertThat(refused.getStatus()).isEqualTo(503);
		assertThat(refused.getHeader("Retry-After")).isEqualTo("1");
		assertThat(refused.getContentAsString()).contains("Too many large bodies");
		FilterChain anything = (request, response) -> {
		};
		assertThat(send(1024, anything).getStatus()).isEqualTo(200);
		this.end.countDown();
		CompletableFuture.allOf(others).join();
		assertThat(send(LARGEST.toBytes(), anything).getStatus()).isEqualTo(200);
	}

	private MockHttpServletResponse send(long length, FilterChain chain) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/apps/a/users/u/sessions") {

			@Override
			public long getContentLengthLong() {
				return length;
			}

		};
		MockHttpServletResponse response = new MockHttpServletResponse();
		try {
			this.bodies.doFilter(request, response, chain);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
		return response;
	}

	private void awaitEnd() {
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}

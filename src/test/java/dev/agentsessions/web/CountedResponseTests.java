package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;

/** When the bytes of a response are counted, sent and given back. */
class CountedResponseTests {

	private static final int MEGABYTE = 1 << 20;

	private final HeapBudget budget = new HeapBudget(2 * MEGABYTE);

	private final HeapBudget.Share memory = this.budget.open();

	private final MockHttpServletResponse sent = new MockHttpServletResponse();

	private final AtomicBoolean hasWritten = new AtomicBoolean();

	private final CountedResponse response = new CountedResponse(this.sent, this.memory, this.hasWritten::get);

	/** A request that can take all of the budget shows that nothing of it is missing. */
	@AfterEach
	void givesAllMemoryBack() {
		this.response.close();
		this.budget.open().takeNow(2 * MEGABYTE);
	}

	@Test
	void leavesSmallResponseToContainer() throws IOException {
		this.response.getWriter().write("small");
		this.response.send();
		assertThat(this.sent.getContentAsString()).isEqualTo("small");
		assertThat(this.memory.bytes()).isZero();
	}

	@Test
	void sendsLargeResponseOnlyWhenToldTo() throws IOException {
		byte[] bytes = bytes(MEGABYTE);
		for (int start = 0; start < bytes.length; start += 1000) {
			this.response.getOutputStream().write(bytes, start, Math.min(1000, bytes.length - start));
		}
		this.response.getOutputStream().flush();
		this.response.flushBuffer();
		assertThat(this.sent.isCommitted()).isFalse();
		assertThat(this.memory.bytes()).isBetween((long) MEGABYTE - 8192, (long) MEGABYTE + 65_536);
		this.response.send();
		assertThat(this.sent.getContentAsByteArray()).isEqualTo(bytes);
		assertThat(this.memory.bytes()).isZero();
	}

	@Test
	void continuesAfterItsFirstBytesAreSent() throws IOException {
		byte[] bytes = bytes(300_000);
		for (int start = 0; start < bytes.length; start += 100_000) {
			this.response.getOutputStream().write(bytes, start, 100_000);
			this.response.send();
			assertThat(this.memory.bytes()).isZero();
		}
		assertThat(this.sent.getContentAsByteArray()).isEqualTo(bytes);
	}

	@Test
	void becomesAnErrorIfThereIsNoMemory() throws IOException {
		HeapBudget.Share others = this.budget.open();
		others.takeNow(MEGABYTE / 2);
		this.response.getOutputStream().write(bytes(50_000));
		assertThatExceptionOfType(SessionException.Unavailable.class)
			.isThrownBy(() -> this.response.getOutputStream().write(bytes(MEGABYTE)));
		this.response.resetBuffer();
		this.response.getWriter().write("error");
		this.response.send();
		assertThat(this.sent.getContentAsString()).isEqualTo("error");
		others.close();
	}

	/** Its client would send the request again after an error. */
	@Test
	void isSentWithoutMemoryIfTheRequestHasWritten() throws IOException {
		this.hasWritten.set(true);
		HeapBudget.Share others = this.budget.open();
		others.takeNow(MEGABYTE / 2);
		byte[] bytes = bytes(3 * MEGABYTE);
		for (int start = 0; start < bytes.length; start += MEGABYTE) {
			this.response.getOutputStream().write(bytes, start, MEGABYTE);
		}
		this.response.send();
		assertThat(this.sent.getContentAsByteArray()).isEqualTo(bytes);
		others.close();
	}

	@Test
	void leavesRoomForSmallerResponses() {
		List<HeapBudget.Share> large = new ArrayList<>();
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> {
			for (int i = 0; i < 2 * MEGABYTE / 65_536; i++) {
				large.add(this.budget.open());
				large.get(i).takeLeavingRoom(65_536);
			}
		});
		assertThat(large).hasSizeGreaterThan(10);
		this.memory.takeLeavingRoom(50_000);
		large.forEach(HeapBudget.Share::close);
	}

	private static byte[] bytes(int count) {
		byte[] bytes = new byte[count];
		new Random(1).nextBytes(bytes);
		return bytes;
	}

}

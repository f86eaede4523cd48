package dev.agentsessions.support;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;

/** Reads bodies as text. Of a stream that does not end, only what comes soon. */
public final class Bodies {

	private Bodies() {
	}

	public static BodyHandler<String> text() {
		return (answer) -> isEndless(answer) ? new Beginning() : BodyHandlers.ofString().apply(answer);
	}

	private static boolean isEndless(ResponseInfo answer) {
		return answer.headers()
			.firstValue("Content-Type")
			.filter((type) -> type.startsWith("text/event-stream"))
			.isPresent();
	}

	/**
	 * Hangs up after a while, when it has its text: the JDK's client may take that for an
	 * error.
	 */
	private static final class Beginning implements BodySubscriber<String> {

		private static final long MILLISECONDS = 500;

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		private final CompletableFuture<String> text = new CompletableFuture<>();

		@Override
		public CompletionStage<String> getBody() {
			return this.text;
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			subscription.request(Long.MAX_VALUE);
			CompletableFuture.delayedExecutor(MILLISECONDS, TimeUnit.MILLISECONDS).execute(() -> {
				onComplete();
				subscription.cancel();
			});
		}

		@Override
		public synchronized void onNext(List<ByteBuffer> buffers) {
			for (ByteBuffer buffer : buffers) {
				byte[] next = new byte[buffer.remaining()];
				buffer.get(next);
				this.bytes.writeBytes(next);
			}
		}

		@Override
		public void onError(Throwable ex) {
			this.text.completeExceptionally(ex);
		}

		@Override
		public synchronized void onComplete() {
			this.text.complete(this.bytes.toString(StandardCharsets.UTF_8));
		}

	}

}

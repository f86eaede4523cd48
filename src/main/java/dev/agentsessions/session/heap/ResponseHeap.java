package dev.agentsessions.session.heap;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;

/**
 * The memory for data that is read from the store for a response, and for what the
 * dialect makes of it. The store takes from it, because only the store knows the size of
 * the data, and no text reaches a dialect by another way. It is given back when the
 * response is written.
 */
@Component
public class ResponseHeap {

	/** Smaller data is not counted. */
	public static final int MAX_UNCOUNTED_BYTES = 1 << 16;

	private final HeapBudget reads = new HeapBudget(HeapShare.READS.bytes());

	/**
	 * Requests that have their share of it take nothing more from the other budget. So
	 * they do not wait in a circle.
	 */
	private final HeapBudget translations = new HeapBudget(HeapShare.TRANSLATIONS.bytes());

	private final ThreadLocal<@Nullable Response> current = new ThreadLocal<>();

	/** Begins the work of this thread on data that no response needs at once. */
	public void begin() {
		begin(() -> {
		}, TranslationCost.NONE);
	}

	/**
	 * Begins the work of this thread on a response.
	 * @param sender sends the written bytes of the response
	 * @param cost what the dialect of the request makes of an event
	 */
	public void begin(Runnable sender, TranslationCost cost) {
		this.current.set(new Response(this.reads.open(), this.translations.open(), cost, sender, new AtomicBoolean()));
	}

	/** The request of this thread has stored something. */
	public void written() {
		current().ifPresent((own) -> own.hasWritten.set(true));
	}

	/** Whether the request of this thread has stored something. */
	public boolean hasWritten() {
		return current().filter((own) -> own.hasWritten.get()).isPresent();
	}

	/** Gives back all memory of this thread, because its response is written. */
	public void end() {
		backTo(0);
		this.current.remove();
	}

	/**
	 * Sends the written bytes, and gives back the memory taken since then; the response
	 * continues. The caller refers to the data no more: a slow client holds only the
	 * bytes that it has not read.
	 */
	public void continueFrom(long before) {
		backTo(before);
		current().ifPresent((own) -> own.sender.run());
	}

	/** Whether this thread works on a response, so that its data is counted. */
	public boolean isCounting() {
		return current().isPresent();
	}

	/** Returns the bytes that this thread has taken for its response. */
	public long taken() {
		return current().map((own) -> own.share.bytes()).orElse(0L);
	}

	/**
	 * Gives back the memory taken since then, because the bytes are written; the response
	 * continues.
	 */
	public void backTo(long before) {
		current().ifPresent((own) -> {
			own.share.backTo(before);
			own.translation.close();
		});
	}

	/**
	 * Takes memory for large data that is read next. All such data together leaves half
	 * of the memory to data that is counted when it has been read. Outside of a response,
	 * nothing is counted.
	 * @param bytes the approximate size of the data
	 * @throws SessionException.Unavailable if the memory is not available in time
	 */
	public void take(long bytes) {
		if (bytes > MAX_UNCOUNTED_BYTES) {
			current().ifPresent((own) -> own.share.takeFromHalf(bytes));
		}
	}

	/**
	 * Takes memory for data that has been read already, without waiting: a thread that
	 * waits would still use the memory of the data.
	 * @throws SessionException.Unavailable if the memory is not available
	 */
	public void count(long bytes) {
		if (bytes > MAX_UNCOUNTED_BYTES) {
			current().ifPresent((own) -> own.share.takeNow(bytes));
		}
	}

	/**
	 * Takes memory for the translation of an event that has been read, until memory of
	 * reads is given back. Dialects translate events one by one, so only the largest one
	 * counts.
	 * @param event the text of the event
	 * @param seconds how long to wait for the memory
	 * @throws SessionException.Unavailable if the memory is not available by then
	 */
	public void takeTranslation(String event, int seconds) {
		if (event.length() > MAX_UNCOUNTED_BYTES) {
			current().ifPresent(
					(own) -> own.translation.take(Math.max(0, own.cost.of(event) - own.translation.bytes()), seconds));
		}
	}

	private Optional<Response> current() {
		return Optional.ofNullable(this.current.get());
	}

	/**
	 * The memory of a response.
	 *
	 * @param share for what is read
	 * @param translation for what the dialect makes of it
	 */
	private record Response(HeapBudget.Share share, HeapBudget.Share translation, TranslationCost cost, Runnable sender,
			AtomicBoolean hasWritten) {

	}

	/**
	 * How much memory a dialect needs, at most, for what it makes of an event, in
	 * addition to the text of the event.
	 *
	 * @param perCharacter the number of bytes for each character of the text
	 * @param perToken the number of bytes for each value of the text, whatever its length
	 */
	public record TranslationCost(int perCharacter, int perToken) {

		/** Of a dialect that writes events as they are stored. */
		public static final TranslationCost NONE = new TranslationCost(0, 0);

		/** Returns the number of bytes for a text. */
		public long of(String json) {
			return (long) this.perCharacter * json.length() + ((this.perToken > 0) ? this.perToken * tokens(json) : 0);
		}

		/** Counts what can begin a value, outside of strings. */
		private static long tokens(String json) {
			long tokens = 0;
			boolean inString = false;
			for (int i = 0; i < json.length(); i++) {
				char character = json.charAt(i);
				if (character == '"') {
					inString = !inString;
				}
				else if (inString && character == '\\') {
					i++;
				}
				else if (!inString && ",:[{".indexOf(character) >= 0) {
					tokens++;
				}
			}
			return tokens;
		}

	}

}

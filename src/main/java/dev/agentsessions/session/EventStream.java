package dev.agentsessions.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Events of a session, oldest first. A long stream is read chunk by chunk during
 * iteration, so it needs no more memory than a short one, and can be iterated only once.
 * All of its events still belong to one moment, because stored events never change.
 */
public final class EventStream implements Iterable<Event> {

	/** A stream without events. */
	public static final EventStream EMPTY = new EventStream(List.of());

	private List<Event> first;

	private final @Nullable Function<List<Event>, Supplier<List<Event>>> nextChunk;

	private final UnaryOperator<Event> mapper;

	/** Creates a stream of these events only. */
	public EventStream(List<Event> events) {
		this(events, null);
	}

	/**
	 * Creates a stream that reads more events during iteration.
	 * @param first the first chunk
	 * @param nextChunk returns the supplier of the events that follow a chunk, none at
	 * the end, and does not refer to the chunk; {@code null} if the first chunk is all
	 */
	public EventStream(List<Event> first, @Nullable Function<List<Event>, Supplier<List<Event>>> nextChunk) {
		this(first, nextChunk, UnaryOperator.identity());
	}

	private EventStream(List<Event> first, @Nullable Function<List<Event>, Supplier<List<Event>>> nextChunk,
			UnaryOperator<Event> mapper) {
		this.first = first;
		this.nextChunk = nextChunk;
		this.mapper = mapper;
	}

	/**
	 * Returns the same stream with its events in another representation. Each event is
	 * mapped when the iterator returns it. This stream must not be used any more.
	 */
	public EventStream map(UnaryOperator<Event> newMapper) {
		return new EventStream(takeFirst(), this.nextChunk, this.mapper.andThen(newMapper)::apply);
	}

	/**
	 * Returns the same stream with its further chunks read in another way. This stream
	 * must not be used any more.
	 * @param read reads a chunk by the supplier of this stream
	 */
	public EventStream readBy(Function<Supplier<List<Event>>, List<Event>> read) {
		Function<List<Event>, Supplier<List<Event>>> following = this.nextChunk;
		if (following == null) {
			return this;
		}
		return new EventStream(takeFirst(), (chunk) -> {
			Supplier<List<Event>> next = following.apply(chunk);
			return () -> read.apply(next);
		}, this.mapper);
	}

	/** Does not refer to the first chunk of a long stream any longer. */
	private List<Event> takeFirst() {
		List<Event> chunk = this.first;
		if (this.nextChunk != null) {
			this.first = List.of();
		}
		return chunk;
	}

	/**
	 * Iterates over the events.
	 * @throws SessionException.NotFound during iteration if the session is deleted
	 * meanwhile, even if another session has the same name
	 */
	@Override
	public Iterator<Event> iterator() {
		return new ChunkIterator(this);
	}

	/** Reads all events into memory. */
	public List<Event> toList() {
		List<Event> all = new ArrayList<>();
		forEach(all::add);
		return Collections.unmodifiableList(all);
	}

	/** Does not refer to a chunk while it reads the next one. */
	private static final class ChunkIterator implements Iterator<Event> {

		private final @Nullable Function<List<Event>, Supplier<List<Event>>> nextChunk;

		private final UnaryOperator<Event> mapper;

		private List<Event> chunk;

		private int next;

		ChunkIterator(EventStream stream) {
			this.chunk = stream.takeFirst();
			this.nextChunk = stream.nextChunk;
			this.mapper = stream.mapper;
		}

		@Override
		public boolean hasNext() {
			if (this.next == this.chunk.size() && this.nextChunk != null && !this.chunk.isEmpty()) {
				Supplier<List<Event>> following = this.nextChunk.apply(this.chunk);
				this.chunk = List.of();
				this.next = 0;
				this.chunk = following.get();
			}
			return this.next < this.chunk.size();
		}

		@Override
		public Event next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			return this.mapper.apply(this.chunk.get(this.next++));
		}

	}

}

package dev.agentsessions.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Events of a session, oldest first. A long history is read piece by piece while somebody
 * goes through it, and so needs no more memory than a short one. Still all of its events
 * belong to one moment, because stored events never change.
 *
 * @param first the first events
 * @param following reads the events that follow one, none at the end; {@code null} if the
 * first are all
 */
public record History(List<Event> first, @Nullable Function<Event, List<Event>> following) implements Iterable<Event> {

	/** No events. */
	public static final History EMPTY = new History(List.of());

	public History(List<Event> events) {
		this(events, null);
	}

	/**
	 * Goes through the events.
	 * @throws SessionException.NotFound on the way, if the session is deleted meanwhile
	 */
	@Override
	public Iterator<Event> iterator() {
		return new Pieces(this.first, this.following);
	}

	/** All events at once. */
	public List<Event> toList() {
		List<Event> all = new ArrayList<>();
		forEach(all::add);
		return Collections.unmodifiableList(all);
	}

	private static final class Pieces implements Iterator<Event> {

		private @Nullable Function<Event, List<Event>> following;

		private Iterator<Event> piece;

		private @Nullable Event last;

		Pieces(List<Event> first, @Nullable Function<Event, List<Event>> following) {
			this.piece = first.iterator();
			this.following = following;
		}

		@Override
		public boolean hasNext() {
			if (!this.piece.hasNext() && this.following != null && this.last != null) {
				this.piece = this.following.apply(this.last).iterator();
				this.following = this.piece.hasNext() ? this.following : null;
			}
			return this.piece.hasNext();
		}

		@Override
		public Event next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			this.last = this.piece.next();
			return this.last;
		}

	}

}

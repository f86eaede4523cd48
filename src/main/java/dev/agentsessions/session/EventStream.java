package dev.agentsessions.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Events of a session, oldest first. A long history is read piece by piece while somebody
 * goes through it, and so needs no more memory than a short one. Still all of its events
 * belong to one moment, because stored events never change.
 */
public final class EventStream implements Iterable<Event> {

	/** No events. */
	public static final EventStream EMPTY = new EventStream(List.of());

	private final List<Event> first;

	private final @Nullable UnaryOperator<List<Event>> following;

	private final UnaryOperator<Event> form;

	/** These events, and no others. */
	public EventStream(List<Event> events) {
		this(events, null);
	}

	/**
	 * A history of which others read more.
	 * @param first the first events
	 * @param following reads the events that follow others, none at the end; {@code null}
	 * if the first are all
	 */
	public EventStream(List<Event> first, @Nullable UnaryOperator<List<Event>> following) {
		this(first, following, UnaryOperator.identity());
	}

	private EventStream(List<Event> first, @Nullable UnaryOperator<List<Event>> following, UnaryOperator<Event> form) {
		this.first = first;
		this.following = following;
		this.form = form;
	}

	/**
	 * The same history with its events in another form. They are put into it one by one,
	 * when it is their turn.
	 */
	public EventStream in(UnaryOperator<Event> otherForm) {
		return new EventStream(this.first, this.following, otherForm);
	}

	/**
	 * Goes through the events.
	 * @throws SessionException.NotFound on the way, if the session is deleted meanwhile,
	 * even if there is another one in its place
	 */
	@Override
	public Iterator<Event> iterator() {
		return new Pieces(this);
	}

	/** All events at once. */
	public List<Event> toList() {
		List<Event> all = new ArrayList<>();
		forEach(all::add);
		return Collections.unmodifiableList(all);
	}

	/** Does not keep the first events when it has gone beyond them. */
	private static final class Pieces implements Iterator<Event> {

		private final @Nullable UnaryOperator<List<Event>> following;

		private final UnaryOperator<Event> form;

		private List<Event> piece;

		private int next;

		Pieces(EventStream history) {
			this.piece = history.first;
			this.following = history.following;
			this.form = history.form;
		}

		@Override
		public boolean hasNext() {
			if (this.next == this.piece.size() && this.following != null && !this.piece.isEmpty()) {
				this.piece = this.following.apply(this.piece);
				this.next = 0;
			}
			return this.next < this.piece.size();
		}

		@Override
		public Event next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			return this.form.apply(this.piece.get(this.next++));
		}

	}

}

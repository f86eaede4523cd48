package dev.agentsessions.console.session;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.report.TokenUsage;
import dev.agentsessions.console.session.PartView.PartReader;
import dev.agentsessions.console.session.StatePageController.StateView.StateKeyView;
import dev.agentsessions.console.view.ErrorText;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.state.StateScope;

/**
 * Makes the views of the events of a session.
 *
 * @param name the session
 * @param links makes the addresses
 * @param mode how the page shows texts and times
 * @param leftOut the seqs of events that a model does not see
 */
public record EventViews(SessionName name, Links links, ReadingMode mode, Set<Long> leftOut) {

	/** What the view of an event allocates at most, as measured by a test. */
	public static final TranslationCost COST = new TranslationCost(5, 300);

	/**
	 * Groups events by invocation, the oldest first.
	 * @param before the known state before the first event
	 */
	List<TurnView> turns(List<Event> oldestFirst, Map<String, JsonText> before) {
		Map<String, JsonText> state = new HashMap<>(before);
		List<EventView> events = new ArrayList<>();
		oldestFirst.forEach((event) -> events.add(EventView.of(event, this, state)));
		return TurnView.of(events, this.links.session(this.name));
	}

	/** Returns the page of the session right after an event, at this event. */
	String event(long seq) {
		return this.mode.on(this.links.eventInSession(this.name, seq));
	}

	/** Returns the page of the session after an event; {@code null} for now. */
	String session(@Nullable Long at) {
		return this.mode.on(this.links.session(this.name, at));
	}

	/**
	 * An event as a page shows it.
	 *
	 * @param seq its sequence number
	 * @param id its id
	 * @param invocationId the id of its invocation, not truncated; blank for none
	 * @param author its author
	 * @param parts the parts of its content
	 * @param badges short texts about its other effects
	 * @param summary its summary of earlier events; {@code null} for none
	 * @param error the error code and message; {@code null} for none
	 * @param tokens the token usage of the model
	 * @param delta the state keys that it sets
	 * @param changes the first of these in one line each
	 * @param artifacts the versions of artifacts that it saved
	 * @param link the page of the event
	 * @param leftOut whether a model does not see it any more
	 * @param stored when it was stored
	 * @param sent the time that its sender gave it, or else the time of storage
	 */
	record EventView(long seq, String id, String invocationId, TruncatedText author, List<PartView> parts,
			List<TruncatedText> badges, @Nullable SummaryView summary, @Nullable TruncatedText error, TokenUsage tokens,
			List<StateKeyView> delta, List<StateChange> changes, List<ArtifactChange> artifacts, String link,
			boolean leftOut, Instant stored, Instant sent) {

		private static final String ASKS = "asks for an answer";

		private static final int MAX_DELTA_KEYS = 50;

		private static final int COLORS = 6;

		/**
		 * Returns the view of an event.
		 * @param views knows the session and makes the addresses
		 * @param state the known state before the event, which then is the one after it
		 */
		static EventView of(Event event, EventViews views, Map<String, JsonText> state) {
			ReadingMode mode = views.mode();
			String link = views.links().event(views.name(), event.id());
			JsonObject body = read(event);
			JsonObject actions = LenientFields.object(body, EventFields.ACTIONS);
			String author = LenientFields.text(body, EventFields.AUTHOR);
			return new EventView(event.seq(), TruncatedText.printable(event.id()),
					LenientFields.text(body, EventFields.INVOCATION_ID), TruncatedText.line(author),
					PartReader.read(LenientFields.object(body, EventFields.CONTENT), link, mode,
							!author.equals(EventFields.USER)),
					badges(body, actions), SummaryView.of(actions, link, mode), error(body),
					TokenUsage.of(LenientFields.get(body, EventFields.USAGE_METADATA)), delta(actions, mode),
					StateChange.of(LenientFields.object(actions, EventFields.STATE_DELTA), state, mode),
					ArtifactChange.of(actions, views.name(), views.links()).limit(MAX_DELTA_KEYS).toList(),
					mode.on(link), views.leftOut().contains(event.seq()), event.commitTime(), sent(event, body));
		}

		/**
		 * Returns the time that the sender gave an event, or else the time of storage.
		 */
		static Instant sent(Event event, JsonObject body) {
			try {
				return EventFields.timeOf(body);
			}
			catch (JsonException | ArithmeticException | NumberFormatException | DateTimeException ex) {
				return event.commitTime();
			}
		}

		/** Returns the parsed body of an event; an empty object if it cannot be read. */
		static JsonObject read(Event event) {
			try {
				return JsonObject.of(event.body());
			}
			catch (JsonException ex) {
				return JsonObject.EMPTY;
			}
		}

		public String time() {
			return TimeFormat.of(this.sent);
		}

		/** Returns whether the author is the user. */
		public boolean isOfUser() {
			return this.author.text().equals(EventFields.USER);
		}

		/** Returns the number of the colour of an author: the same on all pages. */
		static int color(TruncatedText author) {
			return Math.floorMod(author.text().hashCode(), COLORS);
		}

		/** Returns the number of the colour of the author. */
		public int color() {
			return color(this.author);
		}

		/** Returns whether the event reports an error or the failure of a function. */
		public boolean isFailed() {
			return this.error != null || this.parts.stream().anyMatch(PartView::isFailed);
		}

		/** Returns whether the event has a call that waits for an answer. */
		public boolean isAsking() {
			return this.badges.contains(new TruncatedText(ASKS, 0));
		}

		/** Returns what took the time before the event. */
		String kind() {
			if (isFailed()) {
				return "error";
			}
			return isOfUser() ? EventFields.USER : this.parts.stream().anyMatch(PartView::isAnswer) ? "tool" : "model";
		}

		private static List<StateKeyView> delta(@Nullable JsonObject actions, ReadingMode mode) {
			JsonObject delta = LenientFields.object(actions, EventFields.STATE_DELTA);
			return (delta != null) ? delta.members()
				.entrySet()
				.stream()
				.limit(MAX_DELTA_KEYS)
				.map((change) -> StateKeyView.of(change.getKey(), change.getValue(), mode))
				.toList() : List.of();
		}

		private static List<TruncatedText> badges(JsonObject body, @Nullable JsonObject actions) {
			List<TruncatedText> badges = new ArrayList<>();
			badge(badges, "rewinds to before ", LenientFields.get(actions, EventFields.REWIND));
			badge(badges, "transfers to ", LenientFields.get(actions, EventFields.TRANSFER_TO_AGENT));
			badge(badges, "branch ", LenientFields.get(body, EventFields.BRANCH));
			badge(badges, "finished: ", LenientFields.get(body, "finishReason"));
			flag(badges, ASKS, longRunningTool(body));
			flag(badges, "escalates", LenientFields.get(actions, "escalate"));
			flag(badges, "interrupted", body.get("interrupted"));
			return badges;
		}

		private static @Nullable JsonText longRunningTool(JsonObject body) {
			return LenientFields.elements(body, EventFields.LONG_RUNNING).stream().findFirst().orElse(null);
		}

		private static void badge(List<TruncatedText> badges, String label, @Nullable JsonText value) {
			if (value != null && !value.stringOrText().isEmpty()) {
				badges.add(TruncatedText.line(label + value.stringOrText()));
			}
		}

		private static void flag(List<TruncatedText> badges, String label, @Nullable JsonText value) {
			if (value != null && !value.text().equals("false")) {
				badges.add(new TruncatedText(label, 0));
			}
		}

		/** Returns the error code and message of an event; {@code null} for none. */
		static @Nullable TruncatedText error(JsonObject body) {
			String error = ErrorText.ofEvent(body);
			return error.isEmpty() ? null : TruncatedText.of(error, TruncatedText.MAX_CHARS);
		}

		/**
		 * A summary that replaces earlier events for a model
		 * ({@code actions.compaction}).
		 *
		 * @param from the time of the first event that it replaces; blank if unknown
		 * @param until the time of the last one
		 * @param parts the parts of the summary
		 */
		record SummaryView(String from, String until, List<PartView> parts) {

			/**
			 * Returns the summary of an event; {@code null} if it has none.
			 * @param event the address of the event
			 */
			static @Nullable SummaryView of(@Nullable JsonObject actions, String event, ReadingMode mode) {
				JsonObject compaction = LenientFields.object(actions, EventFields.COMPACTION);
				return (compaction == null) ? null : new SummaryView(
						time(LenientFields.get(compaction, "startTimestamp")),
						time(LenientFields.get(compaction, "endTimestamp")),
						PartReader.read(LenientFields.object(compaction, "compactedContent"), event, mode, true));
			}

			/** Returns whether a model sees nothing in the place of the events. */
			public boolean isEmpty() {
				return this.parts.stream().noneMatch(PartView::isTelling);
			}

			private static String time(@Nullable JsonText time) {
				return (time != null) ? TimeFormat.ofSeconds(time) : "";
			}

		}

		/**
		 * A key that an event sets, in one line.
		 *
		 * @param key the key
		 * @param before the beginning of its earlier value; blank if that is unknown or
		 * the same
		 * @param after the beginning of its value
		 */
		record StateChange(TruncatedText key, String before, String after) {

			private static final int MAX_CHANGES = 5;

			private static final int MAX_KEY_CHARS = 60;

			private static final int MAX_VALUE_CHARS = 40;

			/**
			 * Returns the first changes of an event, and adds all of them to a state.
			 * @param delta the keys that the event sets; {@code null} for none
			 * @param state the known values before the event. Other sessions may change
			 * shared keys in between, so these are not known
			 */
			static List<StateChange> of(@Nullable JsonObject delta, Map<String, JsonText> state, ReadingMode mode) {
				if (delta == null) {
					return List.of();
				}
				List<StateChange> changes = delta.members()
					.entrySet()
					.stream()
					.limit(MAX_CHANGES)
					.map((change) -> of(change.getKey(), state.get(change.getKey()), change.getValue(), mode))
					.toList();
				delta.members().forEach((key, value) -> {
					if (StateScope.of(key) == StateScope.SESSION) {
						state.put(key, value);
					}
				});
				return changes;
			}

			private static StateChange of(String key, @Nullable JsonText before, JsonText after, ReadingMode mode) {
				return new StateChange(TruncatedText.of(key, MAX_KEY_CHARS),
						(before != null && !before.equals(after)) ? brief(before, mode) : "", brief(after, mode));
			}

			private static String brief(JsonText value, ReadingMode mode) {
				TruncatedText text = mode.json(value, MAX_VALUE_CHARS * 2);
				boolean string = value.isString() && !mode.isStored();
				return TruncatedText.brief(string ? value.stringOrText() : text.text(), MAX_VALUE_CHARS);
			}

		}

	}

	/**
	 * A version of an artifact that an event names in {@code actions.artifactDelta}.
	 *
	 * @param wholeName the name of the artifact, not truncated
	 * @param name the name
	 * @param version the number of the version
	 * @param link the page of the version, which need not exist
	 */
	public record ArtifactChange(String wholeName, TruncatedText name, int version, String link) {

		/**
		 * Returns the versions that an event names, without those that are no numbers.
		 */
		public static Stream<ArtifactChange> of(@Nullable JsonObject actions, SessionName name, Links links) {
			JsonObject delta = LenientFields.object(actions, EventFields.ARTIFACT_DELTA);
			return (delta == null) ? Stream.of()
					: delta.members()
						.entrySet()
						.stream()
						.filter((change) -> change.getValue().text().matches("\\d{1,9}"))
						.map((change) -> of(change.getKey(), Integer.parseInt(change.getValue().text()), name, links));
		}

		private static ArtifactChange of(String name, int version, SessionName session, Links links) {
			return new ArtifactChange(name, TruncatedText.line(name), version, links.artifact(session, name, version));
		}

	}

}

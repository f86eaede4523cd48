package dev.agentsessions.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionKey;

/**
 * An event as a page shows it.
 *
 * @param seq its place in the history
 * @param id its id
 * @param invocationId the turn it belongs to, whole; blank for none
 * @param author who sent it
 * @param time the time its sender gave it
 * @param parts what it says
 * @param marks what it does besides, in a few words each
 * @param error what went wrong; {@code null} if nothing did
 * @param tokens what the model has counted
 * @param delta the keys of the state that it sets
 * @param link where it stands alone
 */
record EventView(long seq, String id, String invocationId, TruncatedText author, String time, List<PartView> parts,
		List<TruncatedText> marks, @Nullable TruncatedText error, TokenUsage tokens, List<StateKeyView> delta,
		String link) {

	/** So many keys of the state are shown of an event. */
	private static final int KEYS = 50;

	static EventView of(Event event, SessionKey key, Links links) {
		JsonObject body = read(event);
		JsonObject actions = LenientFields.object(body, "actions");
		return new EventView(event.seq(), TruncatedText.printable(event.id()), LenientFields.text(body, "invocationId"),
				TruncatedText.of(LenientFields.text(body, "author"), TruncatedText.SHORT), TimeFormat.of(event, body),
				PartReader.read(LenientFields.object(body, "content"), links.event(key, event.id())),
				marks(body, actions), error(body), TokenUsage.of(LenientFields.object(body, "usageMetadata")),
				delta(actions), links.event(key, event.id()));
	}

	private static JsonObject read(Event event) {
		try {
			return JsonObject.parse(event.body().text());
		}
		catch (JsonException ex) {
			return new JsonObject("", Map.of());
		}
	}

	/** Whether the user said it. */
	public boolean isOfUser() {
		return this.author.text().equals("user");
	}

	private static List<StateKeyView> delta(@Nullable JsonObject actions) {
		JsonObject delta = LenientFields.object(actions, "stateDelta");
		return (delta != null) ? delta.members()
			.entrySet()
			.stream()
			.limit(KEYS)
			.map((change) -> StateKeyView.of(change.getKey(), change.getValue(), null, ""))
			.toList() : List.of();
	}

	private static List<TruncatedText> marks(JsonObject body, @Nullable JsonObject actions) {
		List<TruncatedText> marks = new ArrayList<>();
		mark(marks, "rewinds to before ", LenientFields.get(actions, "rewindBeforeInvocationId"));
		mark(marks, "transfers to ", LenientFields.get(actions, "transferToAgent"));
		mark(marks, "branch ", LenientFields.get(body, "branch"));
		mark(marks, "finished: ", LenientFields.get(body, "finishReason"));
		flag(marks, "a summary of earlier events", LenientFields.get(actions, "compaction"));
		flag(marks, "waits for an answer", waiting(body));
		flag(marks, "escalates", LenientFields.get(actions, "escalate"));
		flag(marks, "interrupted", body.get("interrupted"));
		return marks;
	}

	private static @Nullable JsonText waiting(JsonObject body) {
		return LenientFields.elements(body, "longRunningToolIds").stream().findFirst().orElse(null);
	}

	private static void mark(List<TruncatedText> marks, String what, @Nullable JsonText value) {
		if (value != null && !value.stringOrText().isEmpty()) {
			marks.add(TruncatedText.of(what + value.stringOrText(), TruncatedText.SHORT));
		}
	}

	private static void flag(List<TruncatedText> marks, String what, @Nullable JsonText value) {
		if (value != null && !value.text().equals("false")) {
			marks.add(new TruncatedText(what, 0));
		}
	}

	private static @Nullable TruncatedText error(JsonObject body) {
		String error = (LenientFields.text(body, "errorCode") + " " + LenientFields.text(body, "errorMessage")).strip();
		return error.isEmpty() ? null : TruncatedText.of(error, TruncatedText.LONGEST);
	}

}

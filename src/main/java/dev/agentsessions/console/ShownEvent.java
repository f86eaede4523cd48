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
record ShownEvent(long seq, String id, String invocationId, Clip author, String time, List<PartView> parts,
		List<Clip> marks, @Nullable Clip error, Tokens tokens, List<KeyView> delta, String link) {

	/** So many keys of the state are shown of an event. */
	private static final int KEYS = 50;

	static ShownEvent of(Event event, SessionKey key, Links links) {
		JsonObject body = read(event);
		JsonObject actions = Fields.object(body, "actions");
		return new ShownEvent(event.seq(), Clip.printable(event.id()), Fields.text(body, "invocationId"),
				Clip.of(Fields.text(body, "author"), Clip.SHORT), Times.of(event, body),
				PartReader.read(Fields.object(body, "content"), links.event(key, event.id())), marks(body, actions),
				error(body), Tokens.of(Fields.object(body, "usageMetadata")), delta(actions),
				links.event(key, event.id()));
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

	private static List<KeyView> delta(@Nullable JsonObject actions) {
		JsonObject delta = Fields.object(actions, "stateDelta");
		return (delta != null) ? delta.members()
			.entrySet()
			.stream()
			.limit(KEYS)
			.map((change) -> KeyView.of(change.getKey(), change.getValue(), null, ""))
			.toList() : List.of();
	}

	private static List<Clip> marks(JsonObject body, @Nullable JsonObject actions) {
		List<Clip> marks = new ArrayList<>();
		mark(marks, "rewinds to before ", Fields.get(actions, "rewindBeforeInvocationId"));
		mark(marks, "transfers to ", Fields.get(actions, "transferToAgent"));
		mark(marks, "branch ", Fields.get(body, "branch"));
		mark(marks, "finished: ", Fields.get(body, "finishReason"));
		flag(marks, "a summary of earlier events", Fields.get(actions, "compaction"));
		flag(marks, "waits for an answer", waiting(body));
		flag(marks, "escalates", Fields.get(actions, "escalate"));
		flag(marks, "interrupted", body.get("interrupted"));
		return marks;
	}

	private static @Nullable JsonText waiting(JsonObject body) {
		return Fields.elements(body, "longRunningToolIds").stream().findFirst().orElse(null);
	}

	private static void mark(List<Clip> marks, String what, @Nullable JsonText value) {
		if (value != null && !value.stringOrText().isEmpty()) {
			marks.add(Clip.of(what + value.stringOrText(), Clip.SHORT));
		}
	}

	private static void flag(List<Clip> marks, String what, @Nullable JsonText value) {
		if (value != null && !value.text().equals("false")) {
			marks.add(new Clip(what, 0));
		}
	}

	private static @Nullable Clip error(JsonObject body) {
		String error = (Fields.text(body, "errorCode") + " " + Fields.text(body, "errorMessage")).strip();
		return error.isEmpty() ? null : Clip.of(error, Clip.LONGEST);
	}

}

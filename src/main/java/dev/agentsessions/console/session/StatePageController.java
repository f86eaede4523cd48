package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.PastSession;
import dev.agentsessions.session.lifecycle.PastSession.StateSource;
import dev.agentsessions.state.StateScope;
import dev.agentsessions.web.ConsoleAccess;

/** Serves the state of a session at a moment: on a page, or as raw JSON. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/state")
class StatePageController {

	private final HistoryService history;

	StatePageController(HistoryService history) {
		this.history = history;
	}

	/** Serves the state with the event that set each key. */
	@GetMapping
	String state(SessionName name, @RequestParam @Nullable Long at, ReadingMode mode, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		model.addAttribute("state", StateView.of(this.history.explain(name, at), links, mode));
		model.addAttribute("at", at);
		model.addAttribute("here", links.session(name) + "/state" + Links.at(at));
		model.addAttribute("raw", links.session(name) + "/state/json" + Links.at(at));
		model.addAttribute("curl", links.curl(request, name, "/state" + ((at != null) ? "?atSeq=" + at : "")));
		return "console/state";
	}

	@GetMapping("/json")
	ResponseEntity<byte[]> raw(SessionName name, @RequestParam @Nullable Long at) {
		Session session = this.history.explain(name, at).session();
		return RawEventController.json(new JsonObject("", session.state()).asJson());
	}

	/**
	 * The state of a session at a moment.
	 *
	 * @param keys its keys by scope, the session's own first
	 * @param omittedKeys the number of keys not shown
	 * @param explained whether the keys name the events that set them
	 */
	record StateView(Map<String, List<StateKeyView>> keys, int omittedKeys, boolean explained) {

		private static final int MAX_KEYS = 500;

		/** Returns the current state, without the events that set the keys. */
		static StateView of(Session session, ReadingMode mode) {
			return of(session, (key, value) -> StateKeyView.of(key, value, mode), false);
		}

		/** Returns the state with the events that set the keys. */
		static StateView of(PastSession past, Links links, ReadingMode mode) {
			return of(past.session(), (key, value) -> {
				StateKeyView view = StateKeyView.of(key, value, mode);
				StateSource source = past.sources().get(key);
				return (source != null) ? view.by(source, past.session(), links, mode) : view;
			}, true);
		}

		private static StateView of(Session session, BiFunction<String, JsonText, StateKeyView> view,
				boolean explained) {
			Map<String, List<StateKeyView>> keys = new LinkedHashMap<>();
			session.state()
				.keySet()
				.stream()
				.sorted(Comparator.comparing(StateScope::of).reversed().thenComparing(Comparator.naturalOrder()))
				.limit(MAX_KEYS)
				.map((key) -> view.apply(key, session.state().getOrDefault(key, JsonText.NULL)))
				.forEach((key) -> keys.computeIfAbsent(key.scope(), (scope) -> new ArrayList<>()).add(key));
			return new StateView(keys, Math.max(0, session.state().size() - MAX_KEYS), explained);
		}

		/**
		 * A key of the state.
		 *
		 * @param key its name, with its prefix
		 * @param scope its scope: {@code session}, {@code user} or {@code app}
		 * @param value its value
		 * @param seq the seq of the event that set it; {@code null} if unknown
		 * @param author the author of that event
		 * @param link the page of the session right after that event
		 * @param changed whether that event is the last one before the moment shown
		 */
		record StateKeyView(TruncatedText key, String scope, TruncatedText value, @Nullable Long seq,
				TruncatedText author, String link, boolean changed) {

			/** A state may have thousands of values. */
			private static final int MAX_VALUE_CHARS = 2000;

			/** Returns a view of a key whose event is unknown. */
			static StateKeyView of(String key, JsonText value, ReadingMode mode) {
				return new StateKeyView(TruncatedText.line(key), StateScope.of(key).name().toLowerCase(Locale.ROOT),
						mode.json(value, MAX_VALUE_CHARS), null, TruncatedText.EMPTY, "", false);
			}

			/**
			 * Returns the view with the event that set the key.
			 * @param past the session at the moment shown
			 */
			StateKeyView by(StateSource source, Session past, Links links, ReadingMode mode) {
				return new StateKeyView(this.key, this.scope, this.value, source.seq(),
						TruncatedText.line(source.author()), mode.on(links.eventInSession(past.name(), source.seq())),
						source.seq() == past.revision());
			}

		}

	}

}

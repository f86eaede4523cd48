package dev.agentsessions.console.memory;

import java.util.List;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.view.IndentedJson;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/** Serves the page that lists the facts about a user, and deletes facts. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/facts")
class FactPageController {

	private static final String LIST = "console facts";

	private static final int PAGE_SIZE = 50;

	private final FactService facts;

	private final PageTokens tokens;

	FactPageController(FactService facts, PageTokens tokens) {
		this.facts = facts;
		this.tokens = tokens;
	}

	@GetMapping
	String facts(@PathVariable String appName, @PathVariable String userId, @RequestParam @Nullable String page,
			HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		FactQuery first = FactQuery.first(MemoryScope.of(new StateOwner(appName, userId)), PAGE_SIZE);
		FactQuery query = StringUtils.hasText(page) ? first.after(this.tokens.position(page, LIST, List.of(first)))
				: first;
		Page<Fact> facts = this.facts.list(query);
		model.addAttribute("curl", links.curl(request, Links.api(appName, userId) + "/memories"));
		model.addAttribute("factsLink", links.facts(appName, userId));
		model.addAttribute("facts", facts.items().stream().map(FactView::of).toList());
		model.addAttribute("next", facts.more() ? links.facts(appName, userId) + "?page="
				+ this.tokens.issue(LIST, List.of(query), FactQuery.texts(facts.last())) : null);
		return "console/facts";
	}

	@PostMapping("/forget")
	ResponseEntity<Void> delete(@PathVariable String appName, @PathVariable String userId, @RequestParam String id,
			HttpServletRequest request) {
		this.facts.delete(MemoryScope.of(new StateOwner(appName, userId)), id);
		return Links.seeOther(Links.of(request).facts(appName, userId));
	}

	/**
	 * A fact about a user.
	 *
	 * @param id its id, not truncated
	 * @param name its id as shown
	 * @param text the text of the fact
	 * @param author its author; blank for none
	 * @param time the time that the client gave the fact, or else its time of creation
	 * @param expires its expiry; blank for never
	 * @param metadata its metadata; {@code null} for none
	 */
	record FactView(String id, TruncatedText name, TruncatedText text, TruncatedText author, String time,
			String expires, @Nullable TruncatedText metadata) {

		private static final int MAX_CHARS = 2000;

		static FactView of(Fact fact) {
			JsonText metadata = fact.body().metadata();
			return new FactView(fact.id(), TruncatedText.line(fact.id()),
					TruncatedText.of(fact.body().said().text(), MAX_CHARS),
					TruncatedText.line(Objects.requireNonNullElse(fact.body().author(), "")),
					TimeFormat.of(fact.time()), TimeFormat.of(fact.expireTime()),
					(metadata != null) ? IndentedJson.of(metadata, MAX_CHARS) : null);
		}

	}

}

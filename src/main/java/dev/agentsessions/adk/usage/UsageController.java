package dev.agentsessions.adk.usage;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.usage.Grouping;
import dev.agentsessions.session.usage.UsagePosition;
import dev.agentsessions.session.usage.UsageQuery;
import dev.agentsessions.session.usage.UsageReport;
import dev.agentsessions.session.usage.UsageService;
import dev.agentsessions.web.PageTokens;

/** Adds up what sessions, users and apps have spent. */
@RestController
class UsageController {

	private static final String LIST = "adk usage";

	private static final Set<Grouping> OF_APP = Set.of(Grouping.DAY, Grouping.USER, Grouping.MODEL);

	private static final Set<Grouping> OF_USER = Set.of(Grouping.DAY, Grouping.MODEL);

	private final UsageService usage;

	private final PageTokens tokens;

	UsageController(UsageService usage, PageTokens tokens) {
		this.usage = usage;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}/usage")
	SessionUsage getSessionUsage(SessionKey key, @RequestParam @Nullable String pageToken) {
		UsageQuery query = UsageQuery.ofSession(key);
		UsageReport report = report(query, pageToken);
		return SessionUsage.from(report, tokenAfter(report, query));
	}

	@GetMapping("/apps/{appName}/users/{userId}/usage")
	UsageList getUserUsage(@PathVariable String appName, @PathVariable String userId, UsageParameters parameters) {
		return list(parameters.toQuery(appName, userId, OF_USER), parameters.pageToken());
	}

	@GetMapping("/apps/{appName}/usage")
	UsageList getAppUsage(@PathVariable String appName, UsageParameters parameters) {
		return list(parameters.toQuery(appName, null, OF_APP), parameters.pageToken());
	}

	private UsageList list(UsageQuery query, @Nullable String pageToken) {
		UsageReport report = report(query, pageToken);
		return UsageList.from(report, query.by(), tokenAfter(report, query));
	}

	private UsageReport report(UsageQuery query, @Nullable String pageToken) {
		return this.usage.report((pageToken != null)
				? query.after(UsagePosition.of(this.tokens.position(pageToken, LIST, List.of(query)))) : query);
	}

	private @Nullable String tokenAfter(UsageReport report, UsageQuery query) {
		UsagePosition next = report.next();
		return (next != null) ? this.tokens.issue(LIST, List.of(query), next.texts()) : null;
	}

}

package dev.agentsessions.adk.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.report.Usage;
import dev.agentsessions.session.report.Usage.ModelUsage;
import dev.agentsessions.session.report.Usage.Tokens;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.Grouping;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;
import dev.agentsessions.session.report.UsageReport;
import dev.agentsessions.session.report.UsageReport.UsageRow;
import dev.agentsessions.session.report.UsageService;
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
	SessionUsage getSessionUsage(SessionName name, @RequestParam @Nullable String pageToken) {
		UsageQuery query = UsageQuery.ofSession(name);
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

	/**
	 * Which events of an app or of a user to count.
	 *
	 * @param from only events at this time or later
	 * @param until only events before this time
	 * @param by what the rows stand for, days by default
	 * @param pageToken the token of the page, from the response with the previous page
	 */
	record UsageParameters(@Nullable String from, @Nullable String until, @Nullable String by,
			@Nullable String pageToken) {

		UsageQuery toQuery(String appName, @Nullable String userId, Set<Grouping> permitted) {
			return new UsageQuery(new StateOwner(appName, userId), null, grouping(permitted),
					QueryParameters.time("from", this.from), QueryParameters.time("until", this.until), null, false);
		}

		private Grouping grouping(Set<Grouping> permitted) {
			if (this.by == null) {
				return Grouping.DAY;
			}
			return permitted.stream()
				.filter((grouping) -> grouping.text().equals(this.by))
				.findFirst()
				.orElseThrow(() -> new SessionException.InvalidArgument("by", "must be "
						+ permitted.stream().sorted().map(Grouping::text).collect(Collectors.joining(" or "))));
		}

	}

	/**
	 * What an app or a user has spent.
	 *
	 * @param usage all events of this page
	 * @param rows the same by day, user or model
	 * @param sessions the number of sessions that this page has looked at
	 * @param complete whether no events follow
	 * @param nextPageToken the token of the page that counts the events that follow;
	 * absent on the last page
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record UsageList(UsageTotals usage, List<Row> rows, long sessions, boolean complete,
			@Nullable String nextPageToken) {

		static UsageList from(UsageReport report, Grouping by, @Nullable String nextPageToken) {
			return new UsageList(UsageTotals.from(report.total(), report.priced()),
					report.rows().stream().map((row) -> Row.from(row, by, report.priced())).toList(), report.sessions(),
					report.isComplete(), nextPageToken);
		}

		/**
		 * What a day, a user or a model has spent.
		 *
		 * @param day the day in UTC; absent unless rows are days
		 * @param userId the user; absent unless rows are users
		 * @param model the model; absent unless rows are models, and if the senders name
		 * none
		 * @param usage what it has spent
		 */
		@JsonInclude(JsonInclude.Include.NON_NULL)
		record Row(@Nullable String day, @Nullable String userId, @Nullable String model, UsageTotals usage) {

			private static Row from(UsageRow row, Grouping by, boolean priced) {
				return new Row((by == Grouping.DAY) ? row.name() : null, (by == Grouping.USER) ? row.name() : null,
						(by == Grouping.MODEL && !row.name().isEmpty()) ? row.name() : null,
						UsageTotals.from(row.usage(), priced));
			}

		}

	}

	/**
	 * What a session has spent.
	 *
	 * @param usage all of its events
	 * @param copied those of them that a fork has copied; absent if there are none
	 * @param turns its turns, the oldest first
	 * @param complete whether all of its events are counted
	 * @param nextPageToken the token of the page that counts the rest; absent if there is
	 * none
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record SessionUsage(UsageTotals usage, @Nullable UsageTotals copied, List<Turn> turns, boolean complete,
			@Nullable String nextPageToken) {

		static SessionUsage from(UsageReport report, @Nullable String nextPageToken) {
			return new SessionUsage(UsageTotals.from(report.total(), report.priced()),
					(report.copied().events() > 0) ? UsageTotals.from(report.copied(), report.priced()) : null,
					report.rows().stream().map((row) -> Turn.from(row, report.priced())).toList(), report.isComplete(),
					nextPageToken);
		}

		/**
		 * What a turn has spent.
		 *
		 * @param invocationId the id of the invocation; absent for events of none
		 * @param seq the seq of its first event
		 * @param startTime the time of its first event, in decimal seconds
		 * @param usage what it has spent
		 */
		@JsonInclude(JsonInclude.Include.NON_NULL)
		record Turn(@Nullable String invocationId, long seq, BigDecimal startTime, UsageTotals usage) {

			private static Turn from(UsageRow row, boolean priced) {
				return new Turn(row.name().isEmpty() ? null : row.name(), row.seq(), Timestamps.toSeconds(row.start()),
						UsageTotals.from(row.usage(), priced));
			}

		}

	}

	/**
	 * What some events have spent together.
	 *
	 * @param events the number of events, also of those without tokens
	 * @param turns the number of turns
	 * @param seconds how long these turns took together
	 * @param promptTokens tokens of prompts
	 * @param cachedTokens those of them from a cache
	 * @param toolUseTokens tokens of prompts for tools that the model itself uses
	 * @param thoughtsTokens tokens of thoughts
	 * @param outputTokens tokens of responses
	 * @param totalTokens the totals of the senders
	 * @param cost what the models with a price cost; absent if none has one
	 * @param unpricedTokens the number of tokens of the other models; absent if there are
	 * no prices
	 * @param invalidEvents the number of events with a count that is not possible
	 * @param models the same by model
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record UsageTotals(long events, long turns, BigDecimal seconds, long promptTokens, long cachedTokens,
			long toolUseTokens, long thoughtsTokens, long outputTokens, long totalTokens, @Nullable BigDecimal cost,
			@Nullable Long unpricedTokens, long invalidEvents, List<Model> models) {

		private static final int COST_DIGITS = 6;

		static UsageTotals from(Usage usage, boolean priced) {
			Tokens tokens = usage.tokens();
			BigDecimal seconds = Timestamps.toSeconds(Instant.EPOCH.plus(usage.duration()));
			return new UsageTotals(usage.events(), usage.turns(), seconds, tokens.prompt(), tokens.cached(),
					tokens.toolUse(), tokens.thoughts(), tokens.output(), tokens.total(),
					rounded(usage.cost().orElse(null)), priced ? usage.unpricedTokens() : null, usage.invalidEvents(),
					usage.models().stream().map(Model::from).toList());
		}

		private static @Nullable BigDecimal rounded(@Nullable BigDecimal cost) {
			return (cost != null) ? cost.setScale(COST_DIGITS, RoundingMode.HALF_UP) : null;
		}

		/**
		 * What a model has spent.
		 *
		 * @param model the model; absent if the senders name none
		 * @param events the number of events with its counts
		 * @param promptTokens tokens of prompts
		 * @param cachedTokens those of them from a cache
		 * @param toolUseTokens tokens of prompts for tools that the model itself uses
		 * @param thoughtsTokens tokens of thoughts
		 * @param outputTokens tokens of responses
		 * @param totalTokens the totals of the senders
		 * @param cost what they cost; absent if the model has no price
		 */
		@JsonInclude(JsonInclude.Include.NON_NULL)
		record Model(@Nullable String model, long events, long promptTokens, long cachedTokens, long toolUseTokens,
				long thoughtsTokens, long outputTokens, long totalTokens, @Nullable BigDecimal cost) {

			private static Model from(ModelUsage usage) {
				Tokens tokens = usage.tokens();
				return new Model(usage.model(), usage.events(), tokens.prompt(), tokens.cached(), tokens.toolUse(),
						tokens.thoughts(), tokens.output(), tokens.total(), rounded(usage.cost()));
			}

		}

	}

}

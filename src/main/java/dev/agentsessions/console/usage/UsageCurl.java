package dev.agentsessions.console.usage;

import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.usage.UsageQuery;

/** Makes the path of the request that reads the same over the API. */
final class UsageCurl {

	private UsageCurl() {
	}

	static String path(UsageQuery query) {
		String userId = query.userId();
		return "/apps/" + Links.encode(query.appName()) + ((userId != null) ? "/users/" + Links.encode(userId) : "")
				+ "/usage?by=" + query.by().name().toLowerCase(Locale.ROOT) + time("from", query.from())
				+ time("until", query.until());
	}

	private static String time(String name, @Nullable Instant time) {
		return (time != null) ? "&" + name + "=" + time : "";
	}

}

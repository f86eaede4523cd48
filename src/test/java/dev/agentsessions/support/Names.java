package dev.agentsessions.support;

import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.StateOwner;

/** Names of apps and users whose rows are in a bucket that the test chooses. */
public final class Names {

	private Names() {
	}

	/** Returns an app whose own rows are in the bucket. */
	public static String appIn(int bucket) {
		return first("app-" + bucket + "-", (app) -> ScopeKey.bucket(ScopeKey.ofApp(app)), (found) -> found == bucket);
	}

	/** Returns a user of the app whose rows are in the bucket. */
	public static String userIn(int bucket, String app, String prefix) {
		return userIn((found) -> found == bucket, app, prefix);
	}

	/** Returns a user of the app whose rows are in one of some buckets. */
	public static String userIn(IntPredicate buckets, String app, String prefix) {
		return first(prefix, (user) -> ScopeKey.bucket(ScopeKey.of(new StateOwner(app, user))), buckets);
	}

	/** Returns the path of a session of a user whose rows are in the bucket. */
	public static String sessionIn(String app, int bucket) {
		return "/apps/" + app + "/users/" + userIn(bucket, app, "u") + "/sessions/s" + bucket;
	}

	private static String first(String prefix, ToIntFunction<String> bucket, IntPredicate buckets) {
		return IntStream.iterate(0, (number) -> number + 1)
			.mapToObj((number) -> prefix + number)
			.filter((name) -> buckets.test(bucket.applyAsInt(name)))
			.findFirst()
			.orElseThrow();
	}

}

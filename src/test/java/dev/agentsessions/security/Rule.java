package dev.agentsessions.security;

import java.util.Set;

/** Whom a route lets through. */
enum Rule {

	EVERYBODY, CALLERS, NOBODY, UNIMPLEMENTED, READS_SESSION, WRITES_SESSION, READS_USER, WRITES_USER, READS_APP,
	WRITES_APP, ADMINISTERS_APP;

	private static final Set<Rule> READS = Set.of(CALLERS, READS_SESSION, READS_USER, READS_APP);

	private static final Set<Rule> WRITES = Set.of(WRITES_SESSION, WRITES_USER, WRITES_APP);

	Outcome outcome(Visitor visitor) {
		if (this == EVERYBODY) {
			return (visitor == Visitor.WRONG_KEY) ? Outcome.UNAUTHENTICATED : Outcome.THROUGH;
		}
		if (visitor == Visitor.NOBODY || visitor == Visitor.WRONG_KEY) {
			return Outcome.UNAUTHENTICATED;
		}
		if (visitor == Visitor.METRICS || visitor == Visitor.METRICS_TOKEN) {
			return Outcome.FORBIDDEN;
		}
		if (this == NOBODY) {
			return Outcome.HIDDEN;
		}
		if (this == UNIMPLEMENTED) {
			return Outcome.UNIMPLEMENTED;
		}
		return switch (visitor) {
			case NOBODY, WRONG_KEY -> Outcome.UNAUTHENTICATED;
			case METRICS, METRICS_TOKEN -> Outcome.FORBIDDEN;
			case ADMINISTRATOR_OF_ANOTHER_APP -> through(this == CALLERS);
			case READER -> through(READS.contains(this));
			case AGENT -> through(READS.contains(this) || WRITES.contains(this));
			case USER -> through(READS.contains(this) || this == WRITES_SESSION || this == WRITES_USER);
			case ANOTHER_USER -> isAboutASession() ? Outcome.HIDDEN : through(this == CALLERS || this == READS_APP);
			case ADMINISTRATOR, ADMINISTRATOR_TOKEN -> Outcome.THROUGH;
		};
	}

	private boolean isAboutASession() {
		return this == READS_SESSION || this == WRITES_SESSION;
	}

	private static Outcome through(boolean through) {
		return through ? Outcome.THROUGH : Outcome.FORBIDDEN;
	}

}

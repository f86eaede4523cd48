package dev.agentsessions.session;

/** The event has no such part, or no data in it. */
public final class PartNotFoundException extends SessionException {

	public PartNotFoundException() {
		super(Kind.PART_NOT_FOUND, "The event has no part with data at this index");
	}

}

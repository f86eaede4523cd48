package dev.agentsessions.linearizability;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** The ways to take the lease of a session, to keep it and to give it back. */
final class Leases {

	/** No lease ends by itself while it is looked at. */
	private static final String TTL = "3600s";

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	Leases(World world, Sender sender) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
	}

	/** Asks for it, or shows the number of the one that is to be renewed. */
	void acquire(Slot slot, String holder, boolean exclusive, @Nullable Long shown) {
		String body = "{\"holder\":\"%s\",\"ttl\":\"%s\",\"exclusive\":%s}".formatted(holder, TTL, exclusive);
		this.sender.send("POST", this.world.session(slot) + ":acquire", body, headers(shown)).ifPresent((exchange) -> {
			if (exchange.isAnswered() && exchange.status() != 200) {
				this.recorder.read(slot, exchange, refused(slot, shown, exchange));
				return;
			}
			long number = (exchange.status() == 200) ? exchange.orThrow().at("/lease").longValue()
					: (shown != null) ? shown : 0;
			Held held = new Held(number, holder, exclusive);
			this.recorder.session(slot, exchange, (kept) -> granted(kept, slot, held, shown));
			if (exchange.status() == 200 && slot.remember(number) && shown == null) {
				this.recorder.fault("A lease that was granted before: " + exchange.text());
			}
		});
	}

	private static List<Kept> granted(Kept kept, Slot slot, Held held, @Nullable Long shown) {
		boolean free = (shown != null) ? held.is(shown) && kept.held().is(shown) : kept.held().isFreeFor(held.holder());
		return (kept.isOf(slot.user()) && free) ? List.of(kept.leased(held)) : List.of();
	}

	private Function<Kept, List<Kept>> refused(Slot slot, @Nullable Long shown, Exchange exchange) {
		return switch (exchange.code()) {
			case "SESSION_BUSY" -> {
				String holder = exchange.orThrow().at("/holder").asString("");
				yield (kept) -> (shown == null && kept.isOf(slot.user()) && kept.held().holder().equals(holder))
						? List.of(kept) : List.of();
			}
			case "LEASE_LOST" -> (kept) -> (shown != null && kept.isOf(slot.user()) && !kept.held().is(shown))
					? List.of(kept) : List.of();
			default -> Lives.missing(this.recorder, slot.user(), exchange);
		};
	}

	void release(Slot slot, long number) {
		this.sender.send("POST", this.world.session(slot) + ":release", null, headers(number)).ifPresent((exchange) -> {
			if (exchange.isAnswered() && exchange.status() != 204) {
				this.recorder.read(slot, exchange, Lives.missing(this.recorder, slot.user(), exchange));
				return;
			}
			this.recorder.session(slot, exchange, (kept) -> !kept.isOf(slot.user()) ? List.of()
					: List.of(kept.held().is(number) ? kept.leased(Held.NOBODY) : kept));
		});
	}

	private static String[] headers(@Nullable Long number) {
		return (number != null) ? new String[] { "Lease", number.toString() } : new String[0];
	}

}

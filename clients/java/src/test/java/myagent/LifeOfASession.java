package myagent;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionKey;
import com.google.genai.types.Content;
import dev.agentsessions.client.AgentSessionService;
import dev.agentsessions.client.ExplainedState;
import dev.agentsessions.client.ForkOptions;
import dev.agentsessions.client.LeaseOptions;
import dev.agentsessions.client.SessionBusyException;
import dev.agentsessions.client.TurnLease;
import io.reactivex.rxjava3.core.Flowable;

/** The past of a session, another try, back, one turn at a time, and what happens. */
public class LifeOfASession {

	public static void main(String[] args) {
		AgentSessionService sessions = new AgentSessionService();
		SessionKey key = new SessionKey("trips", "mira", UUID.randomUUID().toString());
		Session session = sessions.createSession(key, Map.of("city", "Oslo")).blockingGet();
		sessions.appendEvent(session, turn("turn-1", "Rome")).blockingGet();
		sessions.appendEvent(session, turn("turn-2", "Paris")).blockingGet();

		Session then = sessions.sessionAt(key, 1, null).blockingGet();
		ExplainedState.Value city = sessions.stateAt(key).blockingGet().keys().get("city");
		System.out.println(then.state().get("city") + ", and " + city.value() + " since event " + city.event().get().seq());

		Session other = sessions.fork(key, ForkOptions.before("turn-2").displayName("What if?")).blockingGet();
		sessions.rewind(session, "turn-1").blockingGet();
		System.out.println(other.state().get("city") + " in the fork, and " + session.state().get("city") + " again");

		try (TurnLease lease = sessions.acquire(session, LeaseOptions.DEFAULT.holder("worker-7")).blockingGet()) {
			sessions.getSession(key, null).toSingle().flatMap(sessions::acquire).blockingGet();
		}
		catch (SessionBusyException ex) {
			System.out.println(ex.holder().split(":")[0] + " is still at it, for a minute at most");
		}

		sessions.watch(key, 0).take(3).blockingForEach((watched) ->
				System.out.println(watched.seq() + " " + watched.event().author()));
	}

	/** Runs an agent, if no other client has the lease. Releases the lease before the result completes. */
	public static Flowable<Event> answer(AgentSessionService sessions, Runner runner, SessionKey key, Content message) {
		return sessions.getSession(key, null)
			.toSingle()
			.flatMap(sessions::acquire)
			.flatMapPublisher((held) -> Flowable.using(() -> held,
					(lease) -> runner.runAsync(key, message).takeUntil(lease.lost().toFlowable()), TurnLease::close));
	}

	private static Event turn(String invocationId, String city) {
		return Event.builder()
			.author("planner")
			.invocationId(invocationId)
			.actions(EventActions.builder().stateDelta(new ConcurrentHashMap<>(Map.of("city", city))).build())
			.build();
	}

}

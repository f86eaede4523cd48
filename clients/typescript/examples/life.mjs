// The past of a session, another try, back, one turn at a time, and what happens.
import { AgentSessionService, SessionBusyError } from '@agent-sessions/adk';
import { createEvent, createEventActions } from '@google/adk';

const sessions = new AgentSessionService();
const key = { appName: 'trips', userId: 'mira', sessionId: crypto.randomUUID() };
const session = await sessions.createSession({ ...key, state: { city: 'Oslo' } });
for (const [invocationId, city] of [['turn-1', 'Rome'], ['turn-2', 'Paris']]) {
  const actions = createEventActions({ stateDelta: { city } });
  await sessions.appendEvent({ session, event: createEvent({ author: 'planner', invocationId, actions }) });
}

const then = await sessions.sessionAt({ ...key, atSeq: 1 });
const { keys } = await sessions.stateAt(key);
console.log(`${then.state.city}, and ${keys.city.value} since event ${keys.city.event.seq}`);

const other = await sessions.fork({ ...key, beforeInvocationId: 'turn-2', displayName: 'What if?' });
await sessions.rewind({ session, beforeInvocationId: 'turn-1' });
console.log(`${other.state.city} in the fork, and ${session.state.city} again`);

const lease = await sessions.acquire({ session, holder: 'worker-7' });
try {
  await sessions.acquire({ session: await sessions.getSession(key) });
} catch (error) {
  if (!(error instanceof SessionBusyError)) throw error;
  console.log(`${error.holder.split(':')[0]} is still at it, for ${Math.ceil(error.retryAfter / 60_000)} minute at most`);
} finally {
  await lease.release();
}

for await (const { seq, event } of sessions.watch({ ...key, afterSeq: 0 })) {
  console.log(seq, event.author);
  if (seq === 3) break;
}

// ADK TypeScript's DatabaseSessionService: some writers append for some seconds, each to a session of its own.
// Prints how many events were stored and in how many seconds. Arguments: database, writers, seconds.
import { createEvent, createEventActions, DatabaseSessionService } from '@google/adk';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';

const text = 'Hello there, this is the answer of the agent, of an ordinary length.';
const [clientUrl, writers, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const service = new DatabaseSessionService({ driver: PostgreSqlDriver, clientUrl, pool: { min: writers, max: writers } });
await service.init();
const sessions = [];
for (let n = 0; n < writers; n++) {
  sessions.push(await service.createSession({ appName: 'peer', userId: `u${n}`, sessionId: `s${n}` }));
}

async function writer(session, end) {
  let stored = 0;
  for (; performance.now() < end; stored++) {
    await service.appendEvent({ session, event: createEvent({
      author: 'agent', invocationId: 'inv-12', content: { role: 'model', parts: [{ text }] },
      actions: createEventActions({ stateDelta: { step: stored } }),
    }) });
  }
  return stored;
}

async function write(duration) {
  const end = performance.now() + 1000 * duration;
  const counts = await Promise.all(sessions.map((session) => writer(session, end)));
  return counts.reduce((sum, count) => sum + count);
}

await write(1);
const begin = performance.now();
const stored = await write(seconds);
console.log(stored, (performance.now() - begin) / 1000);
process.exit();

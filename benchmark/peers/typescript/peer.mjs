// ADK TypeScript's DatabaseSessionService: some writers append, or have turns, for some seconds, each in its own session.
// A turn reads the newest 20 events and appends four. Prints how many events were stored and in how many seconds, and
// within how many microseconds half of the appends or turns were done, and 99 in 100.
// Arguments: database, append or turn, writers, seconds.
import { createEvent, createEventActions, DatabaseSessionService } from '@google/adk';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';

const text = 'Hello there, this is the answer of the agent, of an ordinary length.';
const [clientUrl, kind] = process.argv.slice(2, 4);
const [writers, seconds] = process.argv.slice(4).map(Number);
const recent = 20;
const appends = { append: 1, turn: 4 }[kind];
const service = new DatabaseSessionService({ driver: PostgreSqlDriver, clientUrl, pool: { min: writers, max: writers } });
await service.init();
let step = 0;

async function append(session, events) {
  for (let n = 0; n < events; n++) {
    await service.appendEvent({ session, event: createEvent({
      author: 'agent', invocationId: 'inv-12', content: { role: 'model', parts: [{ text }] },
      actions: createEventActions({ stateDelta: { step: step++ } }),
    }) });
  }
}

async function read({ appName, userId, id }) {
  const session = await service.getSession({ appName, userId, sessionId: id, config: { numRecentEvents: recent } });
  if (session.events.length !== recent) {
    throw new Error(`${session.events.length} events`);
  }
  return session;
}

async function writer(session, end) {
  const times = [];
  while (performance.now() < end) {
    const begin = performance.now();
    await append(kind === 'turn' ? await read(session) : session, appends);
    times.push(performance.now() - begin);
  }
  return times;
}

async function write(duration) {
  const end = performance.now() + 1000 * duration;
  return (await Promise.all(sessions.map((session) => writer(session, end)))).flat();
}

const sessions = [];
for (let n = 0; n < writers; n++) {
  sessions.push(await service.createSession({ appName: 'peer', userId: `u${n}`, sessionId: `s${n}` }));
}
if (kind === 'turn') {
  await Promise.all(sessions.map((session) => append(session, recent)));
}
await write(1);
const begin = performance.now();
const times = (await write(seconds)).sort((a, b) => a - b);
const took = (performance.now() - begin) / 1000;
const within = (share) => 1000 * times[Math.floor(times.length * share)];
console.log(times.length * appends, took, within(0.5), within(0.99));
process.exit();

// Uses the clients that openapi-generator has made for TypeScript.
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import * as adk from './target/adk';
import * as vertex from './target/vertex';

const basePath = process.env.AGENT_SESSIONS_URL!;

async function adkDialect() {
  const configuration = new adk.Configuration({ basePath });
  const sessions = new adk.SessionsApi(configuration);
  const events = new adk.EventsApi(configuration);
  const alice = { appName: 'generated', userId: 'typescript' };
  const created = await sessions.createSession({ ...alice, sessionInput: { state: { 'user:name': 'Alice' } } });
  deepStrictEqual(created.state, { 'user:name': 'Alice' });

  const eventInput: adk.EventInput = {
    author: 'user',
    content: { role: 'user', parts: [{ text: 'Hello' }] },
    actions: { stateDelta: { topic: 'greeting' } },
    mood: 'sunny',
  };
  const at = { ...alice, sessionId: created.id };
  const appended = await events.appendEvent({ ...at, eventInput });
  strictEqual(appended.revision, 1);
  strictEqual(appended.event.mood, 'sunny');

  const failure = await events.appendEvent({ ...at, eventInput, ifMatch: '"0"' }).catch((error: unknown) => error);
  ok(failure instanceof adk.ResponseError && failure.response.status === 412);
  const problem = adk.ProblemDetailFromJSON(await failure.response.json());
  strictEqual(problem.code, 'STALE_SESSION');
  strictEqual(problem.revision, 1);

  const listed = (await events.listEvents(at)).events;
  deepStrictEqual(listed.map((event) => event.id), [appended.event.id]);
  ok(listed[0]!.timestamp > 1e9);

  const session = await sessions.getSession({ ...at, includeRevision: true });
  strictEqual(session.state.topic, 'greeting');
  strictEqual(session.events[0]!.mood, 'sunny');
  ok(session.lastUpdateTime > created.lastUpdateTime && session.revision === 1);

  await sessions.deleteSession({ ...at, ifMatch: session.etag });
}

async function vertexDialect() {
  const configuration = new vertex.Configuration({ basePath });
  const events = new vertex.EventsApi(configuration);
  const engine = { project: 'my-project', location: 'local', engine: 'generated' };
  const sessionInput = { userId: 'typescript', sessionState: { 'user:name': 'Alice' } };
  const operation = await new vertex.SessionsApi(configuration).createSession({ ...engine, sessionInput });
  const at = { ...engine, sessionId: operation.name.split('/').at(-3)! };

  await events.appendEvent({ ...at, eventInput: { author: 'user', actions: { stateDelta: { topic: 'greeting' } } } });
  const listed = (await events.listEvents(at)).sessionEvents;
  strictEqual(listed.length, 1);
  ok(listed[0]!.timestamp instanceof Date);
  const session = await new vertex.SessionApi(configuration).getSession(at);
  strictEqual(session.sessionState.topic, 'greeting');
  await new vertex.SessionApi(configuration).deleteSession(at);
}

async function main() {
  await adkDialect();
  await vertexDialect();
  console.log('generated/typescript: 2 passed, 0 failed');
}

main();

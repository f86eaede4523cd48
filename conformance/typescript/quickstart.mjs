// The shortest program whose sessions live in Agent Sessions.
import { createEvent, createEventActions, VertexAiSessionService } from '@google/adk';
import { Client } from '@google-cloud/vertexai';

export function agentSessions(apiEndpoint, agentEngineId) {
  const client = new Client({ project: 'my-project', location: 'local', apiEndpoint });
  const sessions = client.agentEnginesInternal.sessions;
  return new VertexAiSessionService({ projectId: 'my-project', location: 'local', agentEngineId, sessions });
}

export async function main() {
  const url = process.env.AGENT_SESSIONS_URL ?? 'http://localhost:8080';
  const sessions = agentSessions(url, '1234567890');
  const alice = { appName: '1234567890', userId: 'alice' };
  const session = await sessions.createSession({ ...alice, state: { 'user:name': 'Alice' } });
  const event = createEvent({
    author: 'user',
    invocationId: 'i-1',
    content: { role: 'user', parts: [{ text: 'Hello' }] },
    actions: createEventActions({ stateDelta: { topic: 'greeting' } }),
  });
  await sessions.appendEvent({ session, event });
  const stored = await sessions.getSession({ ...alice, sessionId: session.id });
  console.log(stored.state, stored.events[0].content.parts[0].text);
}

if (process.argv[1].endsWith('quickstart.mjs')) {
  await main();
}

// The shortest program whose sessions live in Agent Sessions.
import { AgentSessionService } from '@agent-sessions/adk';
import { createEvent, createEventActions } from '@google/adk';

const sessions = new AgentSessionService(); // $AGENT_SESSIONS_URL, or http://localhost:8080
const alice = { appName: 'my-app', userId: 'alice' };
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

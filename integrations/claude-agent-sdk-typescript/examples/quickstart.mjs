// The shortest program that keeps the transcripts of Claude's agents in Agent Sessions.
import { AgentSessionStore } from '@agent-sessions/claude-agent-sdk';
import { query } from '@anthropic-ai/claude-agent-sdk';

const sessionStore = new AgentSessionStore({ appName: 'coder', userId: 'alice' });
for (const prompt of ['My name is Ada.', 'What is my name?']) {
  const options = { sessionStore, continue: prompt.startsWith('What') };
  for await (const message of query({ prompt, options })) {
    if (message.type === 'result') console.log(message.result);
  }
}

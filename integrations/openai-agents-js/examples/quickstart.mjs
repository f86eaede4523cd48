// The shortest program that keeps the sessions of OpenAI's agents in Agent Sessions.
import { AgentSession } from '@agent-sessions/openai-agents';
import { Agent, run } from '@openai/agents';

const agent = new Agent({ name: 'guide', instructions: 'Answer in one sentence.' });
const session = new AgentSession({ sessionId: 'trip', appName: 'guide', userId: 'bob' });
for (const question of ['My name is Ada.', 'What is my name?']) {
  const result = await run(agent, question, { session });
  console.log(result.finalOutput);
}

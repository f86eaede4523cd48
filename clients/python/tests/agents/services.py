import agent_sessions_adk

agent_sessions_adk.register()

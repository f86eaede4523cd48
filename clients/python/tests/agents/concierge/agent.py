"""An agent whose model needs no network: it calls its tool and then repeats the result of the tool."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent, ParallelAgent, SequentialAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.tool_context import ToolContext
from google.genai import types


class ScriptedModel(BaseLlm):
    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = llm_request.contents[-1].parts or []
        answer = parts[-1].function_response if parts else None
        if answer and answer.response:
            part = types.Part(text=f"You asked {answer.response['times']} times.")
        elif llm_request.tools_dict:
            part = types.Part(function_call=types.FunctionCall(name="count", args={"what": "questions"}))
        else:
            part = types.Part(text=f"{self.model} has nothing to add.")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def count(what: str, tool_context: ToolContext) -> dict[str, Any]:
    """Counts how often it was called."""
    state = tool_context.state
    state["times"] = state.get("times", 0) + 1
    state["user:total"] = state.get("user:total", 0) + 1
    state["app:last"] = what
    state["temp:scratch"] = "of this turn only"
    return {"times": state["times"]}


def helper(name: str) -> LlmAgent:
    return LlmAgent(name=name, model=ScriptedModel(model=name), instruction="Help.", output_key=f"said_{name}")


root_agent = SequentialAgent(
    name="concierge",
    sub_agents=[
        LlmAgent(
            name="counter",
            model=ScriptedModel(model="scripted"),
            instruction="Count the questions.",
            tools=[count],
            output_key="answer",
        ),
        ParallelAgent(name="helpers", sub_agents=[helper("left"), helper("right")]),
    ],
)

"""A client of a model that gives the answers of a script."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message


class ScriptedClient(FunctionInvocationLayer[Any], BaseChatClient[Any]):
    """Gives one answer after the other, and keeps what it was asked."""

    def __init__(self, *answers: str | Content) -> None:
        super().__init__()
        self.answers = list(answers)
        self.asked: list[list[Message]] = []

    async def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **kwargs: Any
    ) -> ChatResponse:
        self.asked.append(list(messages))
        return ChatResponse(messages=[Message("assistant", [self.answers.pop(0)])])

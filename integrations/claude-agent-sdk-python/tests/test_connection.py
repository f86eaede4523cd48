"""Tests of requests, credentials and retries. The package for OpenAI's agents has the same connection."""

import httpx
import pytest

from agent_sessions_claude import AgentSessionsError, Connection

PATH = ("apps", "a b", "users", "users/1")


def answering(*responses: httpx.Response | Exception) -> tuple[list[httpx.Request], httpx.MockTransport]:
    """Returns a list for the requests, and what responds to them in this order."""
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        response = responses[len(seen) - 1]
        if isinstance(response, Exception):
            raise response
        return response

    return seen, httpx.MockTransport(answer)


async def test_each_request_has_the_token_of_the_moment() -> None:
    seen, transport = answering(httpx.Response(200), httpx.Response(200))
    tokens = iter(["first", "second"])

    async def token() -> str:
        return next(tokens)

    connection = Connection("http://service", api_key=token, http_options={"transport": transport})
    for _ in range(2):
        await connection.send("GET", PATH)
    assert [request.headers["Authorization"] for request in seen] == ["Bearer first", "Bearer second"]
    assert seen[0].url.raw_path == b"/apps/a%20b/users/users%2F1"


async def test_a_busy_service_and_a_lost_response_get_the_same_request_again() -> None:
    seen, transport = answering(httpx.Response(503), httpx.ReadError("lost"), httpx.Response(200))
    connection = Connection("http://service", api_key="key", http_options={"transport": transport})
    await connection.send("POST", PATH, ":rewind", body={"eventId": "1"})
    assert [request.content for request in seen] == [b'{"eventId": "1"}'] * 3


async def test_it_gives_up_in_time_and_says_why() -> None:
    problem = {"detail": "Please retry later", "code": "UNAVAILABLE"}
    _, transport = answering(httpx.Response(503, headers={"Retry-After": "9"}, json=problem))
    connection = Connection("http://service", retry_for=1, http_options={"transport": transport})
    with pytest.raises(AgentSessionsError, match="Please retry later") as refused:
        await connection.send("GET", PATH)
    assert (refused.value.status, refused.value.code) == (503, "UNAVAILABLE")


async def test_a_refusal_is_not_repeated() -> None:
    seen, transport = answering(httpx.Response(403, json={"detail": "No", "code": "FORBIDDEN"}))
    connection = Connection("http://service", http_options={"transport": transport})
    with pytest.raises(AgentSessionsError, match="No"):
        await connection.send("GET", PATH)
    assert len(seen) == 1


@pytest.mark.parametrize("name", ["", ".", "..", " "])
async def test_a_name_that_changes_the_path_is_refused(name: str) -> None:
    with pytest.raises(AgentSessionsError, match="cannot be empty"):
        await Connection("http://service").send("GET", ("apps", name))

"""Makes flow.json: what ADK Python 2.13 stores in a session while a tool gets its OAuth credential.

Needs google-adk and authlib. Run: python flow.py > flow.json
"""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from fastapi.openapi.models import OAuth2, OAuthFlowAuthorizationCode, OAuthFlows
from google.adk.agents import LlmAgent
from google.adk.auth import AuthConfig, AuthCredential, AuthCredentialTypes, OAuth2Auth
from google.adk.auth.auth_credential import HttpAuth, HttpCredentials, ServiceAccount, ServiceAccountCredential
from google.adk.auth.credential_service.session_state_credential_service import SessionStateCredentialService
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools import ToolContext
from google.adk.tools.authenticated_function_tool import AuthenticatedFunctionTool
from google.genai import types
from google.oauth2.credentials import Credentials

CALL = "adk_request_credential"


class Model(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        last = llm_request.contents[-1].parts[-1]
        part = (types.Part(function_call=types.FunctionCall(name="calendar", args={})) if last.text
                else types.Part(text="Two meetings."))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


class TokenEndpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"access_token": "SECRET-access", "refresh_token": "SECRET-refresh", "id_token": "SECRET-id",
                           "token_type": "Bearer", "expires_in": 3600}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def calendar(tool_context: ToolContext, credential: AuthCredential = None):
    # As ADK's tools for BigQuery and others do (tools/_google_credentials.py)
    tool_context.state["user:google_token"] = Credentials(
        "SECRET-google", refresh_token="SECRET-google-refresh", token_uri="https://oauth2.googleapis.com/token",
        client_id="client-1", client_secret="SECRET-google-client").to_json()
    return {"meetings": 2}


async def main():
    server = HTTPServer(("127.0.0.1", 0), TokenEndpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    scheme = OAuth2(flows=OAuthFlows(authorizationCode=OAuthFlowAuthorizationCode(
        authorizationUrl="https://login.example.com/auth", tokenUrl=f"http://127.0.0.1:{server.server_port}/token",
        scopes={"calendar": "read"})))
    raw = AuthCredential(auth_type=AuthCredentialTypes.OAUTH2, oauth2=OAuth2Auth(
        client_id="client-1", client_secret="SECRET-client", redirect_uri="https://app.example.com/back"))
    tool = AuthenticatedFunctionTool(func=calendar, auth_config=AuthConfig(
        auth_scheme=scheme, raw_auth_credential=raw, credential_key="calendar_credential"))
    sessions = InMemorySessionService()
    runner = Runner(app_name="shop", agent=LlmAgent(name="agent", model=Model(model="m"), tools=[tool]),
                    session_service=sessions, credential_service=SessionStateCredentialService())
    session = await sessions.create_session(app_name="shop", user_id="ann", session_id="s1")
    asked = None
    async for event in runner.run_async(user_id="ann", session_id="s1", new_message=types.Content(
            role="user", parts=[types.Part(text="My meetings?")])):
        asked = next((call for call in event.get_function_calls() if call.name == CALL), asked)
    config = AuthConfig.model_validate(asked.args["authConfig"])
    oauth = config.exchanged_auth_credential.oauth2
    oauth.auth_response_uri = f"https://app.example.com/back?state={oauth.state}&code=SECRET-code"
    answer = types.FunctionResponse(id=asked.id, name=CALL, response=config.model_dump(
        by_alias=True, exclude_none=True, mode="json"))
    async for _ in runner.run_async(user_id="ann", session_id="s1", new_message=types.Content(
            role="user", parts=[types.Part(function_response=answer)])):
        pass
    session = await sessions.get_session(app_name="shop", user_id="ann", session_id="s1")
    events = [event.model_dump(by_alias=True, exclude_none=True, mode="json") for event in session.events]
    # Credentials as tools and other stores keep them, with names in the other case
    service = AuthCredential(auth_type=AuthCredentialTypes.SERVICE_ACCOUNT, service_account=ServiceAccount(
        scopes=[], service_account_credential=ServiceAccountCredential(
            type_="service_account", project_id="p", private_key_id="SECRET-key-id", private_key="SECRET-key",
            client_email="a@example.com", client_id="1", auth_uri="https://a", token_uri="https://t",
            auth_provider_x509_cert_url="https://c", client_x509_cert_url="https://x",
            universe_domain="googleapis.com")))
    basic = AuthCredential(auth_type=AuthCredentialTypes.HTTP, http=HttpAuth(
        scheme="basic", credentials=HttpCredentials(username="ann", password="SECRET-password"),
        additional_headers={"X-Key": "SECRET-header"}))
    state = {"oauth_client": raw, "app:service": service, "basic": basic,
             "key": AuthCredential(auth_type=AuthCredentialTypes.API_KEY, api_key="SECRET-api-key")}
    state = {key: value.model_dump(exclude_none=True, mode="json") for key, value in state.items()}
    print(json.dumps({"state": state, "events": events}, indent=1))


if __name__ == "__main__":
    asyncio.run(main())

package conformance;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import com.google.adk.agents.LlmAgent;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.Session;
import com.google.adk.tools.FunctionTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;

/** An agent that counts, with a model without a network. Its conversation goes on wherever it was left. */
public class Agent {

	private final BaseSessionService sessions;

	private final String user;

	private final Runner runner;

	Agent(BaseSessionService sessions, String user) {
		this.sessions = sessions;
		this.user = user;
		LlmAgent agent = LlmAgent.builder()
			.name("counter")
			.model(new Scripted())
			.instruction("Count.")
			.tools(FunctionTool.create(Agent.class, "count"))
			.outputKey("answer")
			.build();
		this.runner = new Runner(agent, AdkJava.ENGINE, new InMemoryArtifactService(), sessions);
	}

	/** Counts how often it was called. */
	public static Map<String, Object> count(ToolContext toolContext) {
		Map<String, Object> state = toolContext.state();
		state.put("count", ((Number) state.getOrDefault("count", 0)).intValue() + 1);
		state.put("user:total", ((Number) state.getOrDefault("user:total", 0)).intValue() + 1);
		state.put("temp:scratch", "gone");
		return Map.of("count", state.get("count"));
	}

	/** One turn; answers what the agent said. */
	List<String> talk() {
		Content message = Content.fromParts(Part.fromText("How many?"));
		return this.runner.runAsync(this.user, session().id(), message)
			.toList()
			.blockingGet()
			.stream()
			.flatMap((event) -> event.content().stream())
			.flatMap((content) -> content.parts().orElse(List.of()).stream())
			.flatMap((part) -> part.text().stream())
			.toList();
	}

	Session session() {
		List<Session> known = this.sessions.listSessions(AdkJava.ENGINE, this.user).blockingGet().sessions();
		String id = known.isEmpty() ? this.sessions
			.createSession(AdkJava.ENGINE, this.user, new ConcurrentHashMap<>(), null)
			.blockingGet()
			.id() : known.get(0).id();
		return this.sessions.getSession(AdkJava.ENGINE, this.user, id, Optional.empty()).blockingGet();
	}

	/** Calls the tool, and then says what the tool said. */
	private static final class Scripted extends BaseLlm {

		Scripted() {
			super("scripted");
		}

		@Override
		public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
			List<Content> contents = request.contents();
			List<Part> parts = contents.get(contents.size() - 1).parts().get();
			Part answer = parts.get(parts.size() - 1)
				.functionResponse()
				.map((response) -> Part.fromText(response.response().get().get("count") + " so far"))
				.orElseGet(() -> Part.builder()
					.functionCall(FunctionCall.builder().name("count").args(Map.of()).build())
					.build());
			Content content = Content.builder().role("model").parts(List.of(answer)).build();
			return Flowable.just(LlmResponse.builder().content(content).build());
		}

		@Override
		public BaseLlmConnection connect(LlmRequest request) {
			throw new UnsupportedOperationException();
		}

	}

}

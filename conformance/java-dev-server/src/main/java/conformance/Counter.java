package conformance;

import java.util.List;
import java.util.Map;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.LlmAgent;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.tools.FunctionTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;

/** An agent that counts, with a model without a network. */
public class Counter {

	static final String NAME = "counter";

	static BaseAgent agent() {
		return LlmAgent.builder()
			.name(NAME)
			.model(new Scripted())
			.instruction("Count.")
			.tools(FunctionTool.create(Counter.class, "count"))
			.outputKey("answer")
			.build();
	}

	/** Counts how often it was called. */
	public static Map<String, Object> count(ToolContext toolContext) {
		Map<String, Object> state = toolContext.state();
		state.put("count", ((Number) state.getOrDefault("count", 0)).intValue() + 1);
		state.put("user:total", ((Number) state.getOrDefault("user:total", 0)).intValue() + 1);
		state.put("temp:scratch", "gone");
		return Map.of("count", state.get("count"));
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

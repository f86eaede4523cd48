// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

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

/**
 * A model without a network: it calls the tool and then repeats the result of the tool.
 */
public final class Scripted extends BaseLlm {

	private Scripted() {
		super("scripted");
	}

	/** Runs two turns of an agent that counts. */
	static Session talk(BaseSessionService sessions, String app) {
		LlmAgent agent = LlmAgent.builder()
			.name("counter")
			.model(new Scripted())
			.instruction("Count.")
			.tools(FunctionTool.create(Scripted.class, "count"))
			.outputKey("answer")
			.build();
		Runner runner = new Runner(agent, app, new InMemoryArtifactService(), sessions);
		String id = sessions.createSession(app, "talker").blockingGet().id();
		for (int turn = 0; turn < 2; turn++) {
			runner.runAsync("talker", id, Content.fromParts(Part.fromText("How many?"))).blockingSubscribe();
		}
		return sessions.getSession(app, "talker", id, Optional.empty()).blockingGet();
	}

	/** Counts how often it was called. */
	public static Map<String, Object> count(ToolContext toolContext) {
		Map<String, Object> state = toolContext.state();
		state.put("count", ((Number) state.getOrDefault("count", 0)).intValue() + 1);
		state.put("user:total", state.get("count"));
		state.put("temp:scratch", "gone");
		return Map.of("count", state.get("count"));
	}

	@Override
	public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
		List<Content> contents = request.contents();
		List<Part> parts = contents.get(contents.size() - 1).parts().get();
		Part answer = parts.get(parts.size() - 1)
			.functionResponse()
			.map((response) -> Part.fromText(response.response().get().get("count") + " so far"))
			.orElseGet(() -> Part.builder().functionCall(FunctionCall.builder().name("count").args(Map.of()).build()).build());
		Content content = Content.builder().role("model").parts(List.of(answer)).build();
		return Flowable.just(LlmResponse.builder().content(content).build());
	}

	@Override
	public BaseLlmConnection connect(LlmRequest request) {
		throw new UnsupportedOperationException();
	}

}

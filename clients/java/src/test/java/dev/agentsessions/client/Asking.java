// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.util.List;
import java.util.Map;

import com.google.adk.JsonBaseModel;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;

/**
 * A model without a network: it looks into memory with the words of the user, and keeps
 * what reaches it.
 */
final class Asking extends BaseLlm {

	private String last;

	Asking() {
		super("asking");
	}

	/** Returns the contents of the last request. */
	String last() {
		return this.last;
	}

	@Override
	public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
		List<Content> contents = request.contents();
		this.last = JsonBaseModel.toJsonString(contents);
		List<Part> parts = contents.get(contents.size() - 1).parts().get();
		Part newest = parts.get(parts.size() - 1);
		Part answer = newest.text().isPresent() ? Part.builder().functionCall(load(newest.text().get())).build()
				: Part.fromText("I see.");
		Content content = Content.builder().role("model").parts(List.of(answer)).build();
		return Flowable.just(LlmResponse.builder().content(content).build());
	}

	private static FunctionCall load(String query) {
		return FunctionCall.builder().name("loadMemory").args(Map.of("query", query)).build();
	}

	@Override
	public BaseLlmConnection connect(LlmRequest request) {
		throw new UnsupportedOperationException();
	}

}

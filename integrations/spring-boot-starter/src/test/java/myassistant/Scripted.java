// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package myassistant;

import java.util.List;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.stereotype.Component;

/** A model without a network that knows a name only if its prompt has it. */
@Component
public class Scripted implements ChatModel {

	@Override
	public ChatResponse call(Prompt prompt) {
		String question = prompt.getUserMessage().getText();
		boolean told = prompt.getContents().contains("My name is Ada.");
		String answer = (!question.contains("?")) ? "Hello, Ada!" : told ? "Your name is Ada." : "I do not know.";
		return new ChatResponse(List.of(new Generation(new AssistantMessage(answer))));
	}

}

package myassistant;

import java.util.List;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The shortest application whose conversations live in Agent Sessions. */
@SpringBootApplication
public class Guide {

	public static void main(String[] args) {
		SpringApplication.run(Guide.class, args);
	}

	@Bean
	CommandLineRunner talk(ChatModel model, ChatMemory memory) {
		ChatClient client = ChatClient.builder(model)
			.defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
			.build();
		return (args) -> {
			for (String question : List.of("My name is Ada.", "What is my name?")) {
				System.out.println(client.prompt(question)
					.advisors((settings) -> settings.param(ChatMemory.CONVERSATION_ID, "trip"))
					.call()
					.content());
			}
		};
	}

}

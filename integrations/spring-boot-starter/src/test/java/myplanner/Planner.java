package myplanner;

import java.util.List;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.session.SessionService;
import org.springframework.ai.session.advisor.SessionMemoryAdvisor;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The shortest application that keeps Spring AI Session's events in Agent Sessions. */
@SpringBootApplication
public class Planner {

	public static void main(String[] args) {
		SpringApplication.run(Planner.class, args);
	}

	@Bean
	CommandLineRunner talk(ChatModel model, SessionService sessions) {
		ChatClient client = ChatClient.builder(model)
			.defaultAdvisors(SessionMemoryAdvisor.builder(sessions).defaultUserId("alice").build())
			.build();
		return (args) -> {
			for (String question : List.of("My name is Ada.", "What is my name?")) {
				System.out.println(client.prompt(question)
					.advisors((settings) -> settings.param(SessionMemoryAdvisor.SESSION_ID_CONTEXT_KEY, "trip"))
					.call()
					.content());
			}
		};
	}

}

package myagent;

import java.util.Optional;

import com.google.adk.events.Event;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The shortest application whose sessions live in Agent Sessions. */
@SpringBootApplication
public class Travel {

	public static void main(String[] args) {
		SpringApplication.run(Travel.class, args);
	}

	@Bean
	CommandLineRunner talk(BaseSessionService sessions) {
		return (args) -> {
			Session session = sessions.createSession("tours", "alice").blockingGet();
			Content hello = Content.fromParts(Part.fromText("Kyoto, please."));
			sessions.appendEvent(session, Event.builder().author("user").invocationId("i-1").content(hello).build())
				.blockingGet();
			Session stored = sessions.getSession("tours", "alice", session.id(), Optional.empty()).blockingGet();
			System.out.println(stored.events().get(0).stringifyContent());
		};
	}

}

package dev.agentsessions.session.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.NewEvent;

/** What a session may be created with. */
class CreateSessionTests {

	@Test
	void leavesOutWhatIsNeverStored() {
		CreateSession request = Sessions.with(Sessions.newKey(), "{\"temp:a\":1,\"b\":2}", "{\"partial\":true}",
				"{\"id\":\"e1\"}");
		assertThat(request.state().changes()).isEqualTo(Sessions.state("{\"b\":2}"));
		assertThat(request.events()).extracting(NewEvent::id).containsExactly("e1");
	}

	@Test
	void refusesTwoEventsWithOneId() {
		assertThatExceptionOfType(SessionException.EventIdConflict.class).isThrownBy(
				() -> Sessions.with(Sessions.newKey(), "{}", "{\"id\":\"e1\"}", "{\"id\":\"e2\"}", "{\"id\":\"e1\"}"))
			.withMessageContaining("'e1'");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " \t" })
	void makesANewIdWhereNoneIsGiven(@Nullable String sessionId) {
		SessionName one = CreateSession.nameOf("app", "alice", sessionId, null);
		SessionName other = CreateSession.nameOf("app", "alice", sessionId, null);
		assertThat(one.sessionId()).hasSize(36).isNotEqualTo(other.sessionId());
	}

	@Test
	void takesTheIdThatIsGiven() {
		assertThat(CreateSession.nameOf("app", "alice", " s1 ", null)).isEqualTo(new SessionName("app", "alice", "s1"));
	}

}

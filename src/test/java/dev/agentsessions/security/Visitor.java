package dev.agentsessions.security;

import java.util.function.UnaryOperator;

/** Those who try each route, which is about the user ann of the app shop. */
public enum Visitor {

	NOBODY((call) -> call),

	WRONG_KEY((call) -> call.bearer("as_guessed")),

	ADMINISTRATOR_OF_ANOTHER_APP((call) -> call.as(Keys.FOREIGN_APP)),

	METRICS((call) -> call.as(Keys.METRICS)),

	METRICS_TOKEN((call) -> call.bearer(Tokens.ofMetrics("prometheus"))),

	READER((call) -> call.as(Keys.READER)),

	AGENT((call) -> call.as(Keys.AGENT)),

	ADMINISTRATOR((call) -> call.as(Keys.ADMINISTRATOR)),

	USER((call) -> call.bearer(Tokens.of("ann"))),

	ANOTHER_USER((call) -> call.bearer(Tokens.of("bob"))),

	ADMINISTRATOR_TOKEN((call) -> call.bearer(Tokens.ofAdministrator("root")));

	private final UnaryOperator<Call> identification;

	Visitor(UnaryOperator<Call> identification) {
		this.identification = identification;
	}

	public Call identify(Call call) {
		return this.identification.apply(call);
	}

}

package dev.agentsessions.postgres.lifecycle;

import java.util.List;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.lifecycle.UserQuery;
import dev.agentsessions.session.lifecycle.UserSummary;

/** Lists the apps, and the users of an app. */
public interface AppsAndUsers {

	/** Returns the names of all apps, sorted by name. */
	List<String> appNames();

	/** Returns a page of the users of an app, in the order of their keys. */
	Page<UserSummary> users(UserQuery query);

}

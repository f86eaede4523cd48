/**
 * Dialect 3: HTML pages and forms for people who look at sessions: which users talk with
 * which app, what happened, and which event set the state. No other package imports this
 * one.
 *
 * <p>
 * The controllers call the same services as the other dialects, so the same rules hold: a
 * page shows what the same caller may read over the API. A controller makes view values
 * of what it reads ({@code EventView}, {@code StateView}): texts that are cut to a
 * readable length ({@code TruncatedText}), and addresses whose segments are
 * percent-encoded ({@code Links}). The templates print them as text and in attributes.
 * Only the HTML that {@code Markdown} makes of a model's text is printed as HTML.
 *
 * <p>
 * {@code list}, {@code session}, {@code artifact}, {@code memory} and {@code report}
 * contain the pages, {@code view} what they share, and this package contains the frame
 * around all pages.
 *
 * <p>
 * The page of a session has the parameter {@code at}. It shows the 50 events up to that
 * one and the state right after it, so a page costs one window of events even in a
 * session of 100,000 events. The browser asks for the events that set each key only after
 * the page is loaded, because this costs as much as the events until then; beyond 10,000
 * events it asks on demand only. An open page learns over a watch that there are new
 * events ({@code LiveUpdateStream}), and then asks for them as HTML. Without JavaScript,
 * all but these two, copying and keys works, by links and forms.
 */
@ApplicationModule(
		allowedDependencies = { "web", "json", "session", "session :: *", "state", "watch", "search", "search :: *" })
@NullMarked
package dev.agentsessions.console;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

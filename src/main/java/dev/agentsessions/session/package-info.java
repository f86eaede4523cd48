/**
 * The rules of sessions: values, errors and interfaces that the whole core shares. Knows
 * neither HTTP nor SQL.
 *
 * <p>
 * The sub-packages have the services that callers use and the ports that a store
 * implements. {@link AccessPolicy} is all that the services know of access control.
 *
 * <p>
 * Before it does anything else with what a store returns, a service masks the secrets if
 * the caller may not see them ({@link Secrets}, {@link Secrets.CredentialMask}). So no
 * controller and no page has a secret that it could show, cut or highlight. A test,
 * {@code ContentsTests}, refuses a service that forgets it, and a dialect that asks a
 * store.
 *
 * <p>
 * A response is a consistent snapshot. {@link EventStream} keeps to this for a history of
 * any length: it ends at the revision that the session had at the start, stored events
 * never change, and it reads the next chunk only when the chunk before was written.
 */
@ApplicationModule(allowedDependencies = { "json", "startup", "state" })
@NullMarked
package dev.agentsessions.session;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

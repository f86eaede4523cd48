/**
 * Creates, finds, lists, changes and deletes sessions, and the state that sessions share.
 * Dialects call {@link dev.agentsessions.session.manage.SessionService}.
 */
@NamedInterface("manage")
@NullMarked
package dev.agentsessions.session.manage;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

/**
 * Create, find, list, change and delete sessions, and the state that sessions share.
 * {@link dev.agentsessions.session.manage.SessionService} is what dialects call.
 */
@NamedInterface("manage")
@NullMarked
package dev.agentsessions.session.manage;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

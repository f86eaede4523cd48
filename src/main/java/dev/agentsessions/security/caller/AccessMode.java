package dev.agentsessions.security.caller;

/**
 * Whether callers have to say who they are.
 *
 * @param isOpen whether there is no access control: everybody may do everything
 * @param isLocal whether that is so because only this machine can reach the service
 */
public record AccessMode(boolean isOpen, boolean isLocal) {
}

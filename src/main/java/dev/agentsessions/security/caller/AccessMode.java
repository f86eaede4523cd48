package dev.agentsessions.security.caller;

/**
 * Whether the service authenticates callers.
 *
 * @param isOpen whether there is no access control: every caller has all permissions
 * @param isLocal whether it is open because only this machine can reach the service
 */
public record AccessMode(boolean isOpen, boolean isLocal) {
}

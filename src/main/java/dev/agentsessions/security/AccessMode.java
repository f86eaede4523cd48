package dev.agentsessions.security;

/**
 * Whether callers have to say who they are.
 *
 * @param isOpen whether there is no access control: everybody may do everything
 * @param isLocal whether that is so because only this machine can reach the service
 */
record AccessMode(boolean isOpen, boolean isLocal) {
}

package dev.agentsessions.session.contract;

/**
 * What holds for appends, whichever way they take to the database: the part of
 * {@link SessionStoreContract} that is tried for each of these ways.
 */
public abstract class AppendPathContract
		implements AppendContract, AppendStateContract, ReplayContract, PreconditionContract, LeaseContract {

}

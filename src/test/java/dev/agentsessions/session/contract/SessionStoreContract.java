package dev.agentsessions.session.contract;

/**
 * What every store does, whatever it is made of: the rules of {@link Stores}, one test
 * each.
 */
public abstract class SessionStoreContract
		implements CreateContract, FindContract, ListContract, ListFilterContract, EventConditionContract,
		UpdateDetailsContract, DeleteContract, EraseContract, AppendContract, AppendStateContract, ReplayContract,
		PreconditionContract, BatchContract, LeaseContract, EventsContract, ContextContract, PendingContract,
		TimelineContract, LocateContract, UserListContract, ExpiryContract, SharedStateContract {

}

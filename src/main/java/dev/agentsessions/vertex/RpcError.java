package dev.agentsessions.vertex;

import org.springframework.http.HttpStatusCode;

/**
 * An error of the protocol. Source: {@code google.rpc.Status}, as Google's APIs put it
 * into JSON.
 *
 * @param error what went wrong
 */
record RpcError(Detail error) {

	static RpcError of(RpcCode code, HttpStatusCode status, String message) {
		return new RpcError(new Detail(status.value(), message, code.name()));
	}

	/**
	 * What went wrong.
	 *
	 * @param code the status of the answer
	 * @param message what a person should know
	 * @param status the kind of error
	 */
	record Detail(int code, String message, String status) {
	}

}

package dev.agentsessions.vertex;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.http.HttpStatusCode;

/**
 * An error of the protocol. Source: {@code google.rpc.Status}, as Google's APIs put it
 * into JSON.
 *
 * @param error what went wrong
 */
record RpcError(Detail error) {

	static RpcError of(RpcCode code, HttpStatusCode status, String message, String requestId) {
		return new RpcError(new Detail(status.value(), message, code.name(),
				List.of(new RequestInfo(RequestInfo.TYPE, requestId))));
	}

	/**
	 * What went wrong.
	 *
	 * @param code the status of the answer
	 * @param message what a person should know
	 * @param status the kind of error
	 * @param details which request it was
	 */
	record Detail(int code, String message, String status, List<RequestInfo> details) {
	}

	/**
	 * By which id a request is found in the log. Source: {@code google.rpc.RequestInfo}.
	 *
	 * @param type the name of the message
	 * @param requestId the id of the request
	 */
	record RequestInfo(@JsonProperty("@type") String type, String requestId) {

		static final String TYPE = "type.googleapis.com/google.rpc.RequestInfo";

	}

}

package dev.agentsessions.vertex;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.http.HttpStatusCode;

/**
 * An error of the protocol. Source: {@code google.rpc.Status}, in the JSON form of
 * Google's APIs.
 *
 * @param error the error
 */
record RpcError(Detail error) {

	static RpcError of(RpcCode code, HttpStatusCode status, String message, String requestId) {
		return new RpcError(new Detail(status.value(), message, code.name(),
				List.of(new RequestInfo(RequestInfo.TYPE, requestId))));
	}

	/**
	 * The error.
	 *
	 * @param code the HTTP status of the response
	 * @param message the message for developers
	 * @param status the error code
	 * @param details the id of the request
	 */
	record Detail(int code, String message, String status, List<RequestInfo> details) {
	}

	/**
	 * The id of a request in the log. Source: {@code google.rpc.RequestInfo}.
	 *
	 * @param type the name of the message
	 * @param requestId the id of the request
	 */
	record RequestInfo(@JsonProperty("@type") String type, String requestId) {

		static final String TYPE = "type.googleapis.com/google.rpc.RequestInfo";

	}

}

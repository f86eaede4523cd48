package dev.agentsessions.warmup;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.apache.coyote.Adapter;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.OutputBuffer;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * A request from the service to itself. It passes Tomcat, all filters and a controller on
 * the calling thread, but no network. So neither the address, nor TLS, nor access control
 * matters, and it can be part of a transaction.
 *
 * @param method the HTTP method
 * @param path the path, with the context path of the service
 * @param body the body in JSON; empty for none
 */
record OwnRequest(String method, String path, String body) {

	/**
	 * Sends the request.
	 * @param attributes the attributes of the request
	 * @return the status of the response
	 */
	int send(Adapter tomcat, Map<String, Object> attributes) throws Exception {
		Request request = request();
		attributes.forEach(request::setAttribute);
		Response response = new Response();
		response.setOutputBuffer(new DiscardedOutput());
		request.setResponse(response);
		response.setRequest(request);
		tomcat.service(request, response);
		return response.getStatus();
	}

	private Request request() {
		byte[] bytes = this.body.getBytes(StandardCharsets.UTF_8);
		Request request = new Request();
		request.setMethod(this.method);
		request.requestURI().setString(this.path);
		request.decodedURI().setString(this.path);
		request.protocol().setString("HTTP/1.1");
		request.serverName().setString("localhost");
		request.remoteAddr().setString("127.0.0.1");
		request.getMimeHeaders().addValue("Host").setString("localhost");
		if (bytes.length > 0) {
			request.getMimeHeaders().addValue("Content-Type").setString("application/json");
			request.setContentLength(bytes.length);
		}
		request.setInputBuffer(new Body(ByteBuffer.wrap(bytes)));
		return request;
	}

	private record Body(ByteBuffer bytes) implements InputBuffer {

		@Override
		public int doRead(ApplicationBufferHandler handler) {
			if (!this.bytes.hasRemaining()) {
				return -1;
			}
			ByteBuffer all = this.bytes.slice();
			this.bytes.position(this.bytes.limit());
			handler.setByteBuffer(all);
			return all.remaining();
		}

		@Override
		public int available() {
			return this.bytes.remaining();
		}

	}

	private static final class DiscardedOutput implements OutputBuffer {

		private long written;

		@Override
		public int doWrite(ByteBuffer chunk) {
			int length = chunk.remaining();
			chunk.position(chunk.limit());
			this.written += length;
			return length;
		}

		@Override
		public long getBytesWritten() {
			return this.written;
		}

	}

}

package dev.agentsessions.web.body;

import java.nio.ByteBuffer;
import java.util.function.LongFunction;

import org.springframework.http.MediaType;

/**
 * Bytes that a client has stored, to be served as a file.
 *
 * @param type the media type of the response, a {@link SafeType}
 * @param length the number of bytes
 * @param etag the strong entity tag
 * @param blocks reads the bytes from an index on: at least one of them, as many as are in
 * memory at once. When it is called again, the block before has been written
 */
public record FileContent(MediaType type, long length, String etag, LongFunction<ByteBuffer> blocks) {
}

package dev.agentsessions.vertex.event;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.vertex.event.Message.Value;

/** Values that are messages of the protocol themselves. */
final class MessageReaders {

	private MessageReaders() {
	}

	/** A message. */
	static Value message(Message message) {
		return new OneMessage(message);
	}

	/** An array of messages. */
	static Value list(Message message) {
		return new ManyMessages(message);
	}

	private record OneMessage(Message message) implements Value {

		@Override
		public JsonText read(JsonObject parent, String name) {
			return this.message.read(parent.requiredObject(name)).toJson();
		}

		@Override
		public JsonText readable(JsonObject parent, String name) {
			return this.message.readable(parent.requiredObject(name)).toJson();
		}

	}

	private record ManyMessages(Message message) implements Value {

		@Override
		public JsonText read(JsonObject parent, String name) {
			return FieldReaders.array(parent.objects(name).stream().map(this.message::read).map(JsonObject::toJson));
		}

		@Override
		public JsonText readable(JsonObject parent, String name) {
			return FieldReaders
				.array(parent.objects(name).stream().map(this.message::readable).map(JsonObject::toJson));
		}

	}

}

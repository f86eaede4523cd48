import adk.apis.EventsApi
import adk.apis.SessionsApi
import adk.models.EventInput
import adk.models.SessionInput

/** Uses the clients that openapi-generator has made for Kotlin. */
private val url = System.getenv("AGENT_SESSIONS_URL")

fun main() {
    adkDialect()
    vertexDialect()
    println("generated/kotlin: 2 passed, 0 failed")
}

private fun adkDialect() {
    val sessions = SessionsApi(url)
    val events = EventsApi(url)
    val created = sessions.createSession("generated", "kotlin",
        sessionInput = SessionInput(state = mapOf("user:name" to "Alice")))
    check(created.state == mapOf("user:name" to "Alice")) { "created" }

    // A type that can have unknown fields is a map, and the generated code sends only what is in the map
    val event = EventInput()
    event["author"] = "user"
    event["content"] = mapOf("role" to "user", "parts" to listOf(mapOf("text" to "Hello")))
    event["actions"] = mapOf("stateDelta" to mapOf("topic" to "greeting"))
    event["mood"] = "sunny"
    val appended = events.appendEvent("generated", "kotlin", created.id, event)
    check(appended.revision == 1L) { "appended" }
    check(appended.event["mood"] == "sunny") { "kept" }

    try {
        events.appendEvent("generated", "kotlin", created.id, event, ifMatch = "\"0\"")
        error("refused")
    } catch (ex: adk.infrastructure.ClientException) {
        check(ex.statusCode == 412) { "stale" }
    }

    val listed = events.listEvents("generated", "kotlin", created.id).events
    check(listed.size == 1 && listed[0]["id"] == appended.event["id"]) { "listed" }

    val session = sessions.getSession("generated", "kotlin", created.id, includeRevision = true)
    check(session.state["topic"] == "greeting") { "read" }
    check(session.lastUpdateTime > created.lastUpdateTime && session.revision == 1L) { "read anew" }
    sessions.deleteSession("generated", "kotlin", created.id, ifMatch = session.etag)
}

private fun vertexDialect() {
    val events = vertex.apis.EventsApi(url)
    val session = vertex.apis.SessionApi(url)
    val name = vertex.apis.SessionsApi(url).createSession("my-project", "local", "generated",
        vertex.models.SessionInput(userId = "kotlin", sessionState = mapOf("user:name" to "Alice"))).name.split("/")
    val id = name[name.size - 3]
    val actions = vertex.models.Actions()
    actions["stateDelta"] = mapOf("topic" to "greeting")
    val event = vertex.models.EventInput(author = "user", actions = actions)
    events.appendEvent("my-project", "local", "generated", id, event)
    val listed = events.listEvents("my-project", "local", "generated", id).sessionEvents
    check(listed?.size == 1) { "listed" }
    check(session.getSession("my-project", "local", "generated", id).sessionState?.get("topic") == "greeting") { "read" }
    session.deleteSession("my-project", "local", "generated", id)
}

package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/**
 * Bad requests get an answer that says what is wrong with them, and change nothing. In
 * the tables S stands for the sessions of the user, U for the user and A for the app;
 * {@code {x*3}} stands for xxx.
 */
@HttpTest
class BadInputTests {

	private static final Pattern REPEATED = Pattern.compile("\\{([^'])\\*(\\d+)}");

	private final Api api;

	BadInputTests(Http http) {
		this.api = new Api(http);
		this.api.create("""
				{'sessionId': 's1', 'state': {'k': 1, 'user:k': 1, 'app:k': 1},
				 'events': [{'id': 'e1', 'author': 'user'}, {'id': 'e2', 'author': 'user'}]}""").ok();
	}

	@ParameterizedTest(name = "{0} {1} {2}")
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					# not JSON
					POST  | S/s1/events | {                              | 400 | INVALID_ARGUMENT  | not valid JSON: Unexpected end-of-input
					POST  | S/s1/events | {'a': 1}}                      | 400 | INVALID_ARGUMENT  | (line 1, column 9)
					POST  | S/s1/events | {'a': 1} x                     | 400 | INVALID_ARGUMENT  | Unrecognized token 'x'
					POST  | S/s1/events | {'a': 1,}                      | 400 | INVALID_ARGUMENT  | The body is not valid JSON
					POST  | S/s1/events | {'a': NaN}                     | 400 | INVALID_ARGUMENT  | Non-standard token 'NaN' (line
					POST  | S/s1/events | {'a': 01}                      | 400 | INVALID_ARGUMENT  | Leading zeroes not allowed
					POST  | S/s1/events | {'a': '\\x'}                   | 400 | INVALID_ARGUMENT  | character escape
					POST  | S/s1/events | {'a': {[*501}{]*501}}          | 400 | INVALID_ARGUMENT  | nesting depth (501) exceeds the maximum allowed (500)
					POST  | S/s1/events | {'a': {[*99999}{]*99999}}      | 400 | INVALID_ARGUMENT  | nesting depth
					POST  | S/s1/events | {'a': {1*1001}}                | 400 | INVALID_ARGUMENT  | exceeds the maximum allowed (1000)
					POST  | S           | {'events': [{                  | 400 | INVALID_ARGUMENT  | The body is not valid JSON
					PATCH | S/s1        | nonsense                       | 400 | INVALID_ARGUMENT  | The body is not valid JSON
					PATCH | A/state     | nonsense                       | 400 | INVALID_ARGUMENT  | The body is not valid JSON
					POST  | S/s1:render | nonsense                       | 400 | INVALID_ARGUMENT  | The body is not valid JSON
					# a body of another shape
					POST  | S/s1/events |                                | 422 | VALIDATION_FAILED | A JSON object is required as the body
					POST  | S/s1/events | null                           | 422 | VALIDATION_FAILED | A JSON object is required as the body
					PATCH | A/state     | null                           | 422 | VALIDATION_FAILED | A JSON object is required as the body
					PATCH | S/s1        | null                           | 422 | VALIDATION_FAILED | A JSON object is required as the body
					POST  | S/s1/events | []                             | 422 | VALIDATION_FAILED | The body must be a JSON object
					POST  | S/s1/events | 'e1'                           | 422 | VALIDATION_FAILED | The body must be a JSON object
					POST  | S           | [1]                            | 422 | VALIDATION_FAILED | The body must be a JSON object
					POST  | S/s2        | 7                              | 422 | VALIDATION_FAILED | The body must be a JSON object
					PATCH | S/s1        |                                | 422 | VALIDATION_FAILED | A JSON object is required as the body
					PATCH | S/s1        | []                             | 422 | VALIDATION_FAILED | The body must be a JSON object
					PATCH | U/state     |                                | 422 | VALIDATION_FAILED | A JSON object is required as the body
					PATCH | U/state     | [1]                            | 422 | VALIDATION_FAILED | The body must be a JSON object
					POST  | S/s1:render |                                | 422 | VALIDATION_FAILED | A JSON object is required as the body
					# wrong types
					POST  | S           | {'sessionId': 7}               | 422 | VALIDATION_FAILED | sessionId must be a string
					POST  | S           | {'session_id': {}}             | 422 | VALIDATION_FAILED | sessionId must be a string
					POST  | S           | {'state': []}                  | 422 | VALIDATION_FAILED | state must be a JSON object
					POST  | S           | {'state': 'x'}                 | 422 | VALIDATION_FAILED | state must be a JSON object
					POST  | S           | {'events': {}}                 | 422 | VALIDATION_FAILED | events must be an array
					POST  | S           | {'events': [1]}                | 422 | VALIDATION_FAILED | events[0] must be a JSON object
					POST  | S           | {'events': [{}, {'id': 7}]}    | 422 | VALIDATION_FAILED | events[1].id must be a string
					POST  | S           | {'events': [{'actions': 7}]}   | 422 | VALIDATION_FAILED | events[0].actions must be a JSON object
					POST  | S           | {'displayName': 7}             | 422 | VALIDATION_FAILED | displayName must be a string
					POST  | S           | {'labels': []}                 | 422 | VALIDATION_FAILED | labels must be a JSON object
					POST  | S           | {'labels': {'a': 1}}           | 422 | VALIDATION_FAILED | labels.a must be a string
					POST  | S/s2        | {'state': {}, 'labels': 7}     | 422 | VALIDATION_FAILED | labels must be a JSON object
					PATCH | S/s1        | {'stateDelta': []}             | 422 | VALIDATION_FAILED | stateDelta must be a JSON object
					PATCH | S/s1        | {'state_delta': 'x'}           | 422 | VALIDATION_FAILED | stateDelta must be a JSON object
					PATCH | S/s1        | {'displayName': []}            | 422 | VALIDATION_FAILED | displayName must be a string
					PATCH | S/s1        | {'stateDelta': {'k': 2}, 'labels': 7} | 422 | VALIDATION_FAILED | labels must be a JSON object
					POST  | S/s1/events | {'id': 7}                      | 422 | VALIDATION_FAILED | id must be a string
					POST  | S/s1/events | {'author': 7}                  | 422 | VALIDATION_FAILED | author must be a string
					POST  | S/s1/events | {'invocationId': []}           | 422 | VALIDATION_FAILED | invocationId must be a string
					POST  | S/s1/events | {'invocation_id': true}        | 422 | VALIDATION_FAILED | invocationId must be a string
					POST  | S/s1/events | {'partial': 'yes'}             | 422 | VALIDATION_FAILED | partial must be true or false
					POST  | S/s1/events | {'partial': 1}                 | 422 | VALIDATION_FAILED | partial must be true or false
					POST  | S/s1/events | {'actions': []}                | 422 | VALIDATION_FAILED | actions must be a JSON object
					POST  | S/s1/events | {'actions': {'stateDelta': []}} | 422 | VALIDATION_FAILED | actions.stateDelta must be a JSON object
					POST  | S/s1/events | {'partial': true, 'actions': 7} | 422 | VALIDATION_FAILED | actions must be a JSON object
					POST  | S/s1:render | {}                             | 422 | VALIDATION_FAILED | template is required and must be a string
					POST  | S/s1:render | {'template': 7}                | 422 | VALIDATION_FAILED | template must be a string
					# the same name twice
					POST  | S/s1/events | {'id': 'a', 'id': 'b'}         | 422 | VALIDATION_FAILED | id must not occur twice
					POST  | S/s1/events | {'invocationId': 'a', 'invocation_id': 'b'} | 422 | VALIDATION_FAILED | invocationId must not occur twice
					POST  | S/s1/events | {'actions': {'stateDelta': {}, 'state_delta': {}}} | 422 | VALIDATION_FAILED | actions.stateDelta must not occur twice
					POST  | S/s1/events?lastUpdateTime=1&lastUpdateTime=2 | {'id': 'a'} | 400 | INVALID_ARGUMENT | lastUpdateTime must be
					POST  | S           | {'session_id': 'a', 'sessionId': 'b'} | 422 | VALIDATION_FAILED | sessionId must not occur twice
					POST  | S           | {'state': {'k': 1, 'k': 2}}    | 422 | VALIDATION_FAILED | state.k must not occur twice
					PATCH | A/state     | {'k': 2, 'k': 3}               | 422 | VALIDATION_FAILED | k must not occur twice
					# times
					POST  | S/s1/events | {'timestamp': true}            | 400 | INVALID_ARGUMENT  | timestamp must be a time: decimal seconds, milliseconds or RFC 3339
					POST  | S/s1/events | {'timestamp': {}}              | 400 | INVALID_ARGUMENT  | timestamp must be a time
					POST  | S/s1/events | {'timestamp': 'yesterday'}     | 400 | INVALID_ARGUMENT  | timestamp must be a time
					POST  | S/s1/events | {'timestamp': '2024-01-01'}    | 400 | INVALID_ARGUMENT  | timestamp must be a time
					POST  | S/s1/events | {'timestamp': 1e400}           | 400 | INVALID_ARGUMENT  | timestamp must be a time
					POST  | S/s1/events | {'timestamp': 1e999999999}     | 400 | INVALID_ARGUMENT  | timestamp must be a time
					POST  | S/s1/events | {'timestamp': -1e12}           | 400 | INVALID_ARGUMENT  | timestamp must be a time
					POST  | S/s1/events | {'timestamp': 253402300800000} | 400 | INVALID_ARGUMENT  | timestamp must be
					POST  | S/s1/events | {'timestamp': '+10000-01-01T00:00:00Z'} | 400 | INVALID_ARGUMENT | timestamp must be within the years 1 to 9999
					# names and keys that cannot be stored
					POST  | S           | {'sessionId': 'a/b'}           | 400 | INVALID_ARGUMENT  | sessionId must not contain
					POST  | S           | {'sessionId': 'a\\\\b'}        | 400 | INVALID_ARGUMENT  | sessionId must not contain
					POST  | S           | {'sessionId': 'a;b'}           | 400 | INVALID_ARGUMENT  | sessionId must not contain
					POST  | S           | {'sessionId': 'a%b'}           | 400 | INVALID_ARGUMENT  | any of / \\ ; %
					POST  | S           | {'sessionId': '.'}             | 400 | INVALID_ARGUMENT  | sessionId must not be '.' or '..'
					POST  | S           | {'sessionId': ' .. '}          | 400 | INVALID_ARGUMENT  | sessionId must not be '.' or '..'
					POST  | S           | {'sessionId': 'a\\u0000b'}     | 400 | INVALID_ARGUMENT  | sessionId must not contain control characters
					POST  | S           | {'sessionId': 'a\\u0085b'}     | 400 | INVALID_ARGUMENT  | sessionId must not contain control characters
					POST  | S           | {'sessionId': '\\ud800'}       | 400 | INVALID_ARGUMENT  | unpaired surrogates
					POST  | S           | {'sessionId': '{x*513}'}       | 400 | INVALID_ARGUMENT  | sessionId must have at most 512 characters
					POST  | S           | {'state': {'a\\u0000': 1}}     | 400 | INVALID_ARGUMENT  | state has the key 'a\\u0000': a key must not contain U+0000
					POST  | S           | {'state': {'user:{x*508}': 1}} | 400 | INVALID_ARGUMENT  | state has a key of more than 512 characters
					POST  | S/s2        | {'app:\\ud800': 1}             | 400 | INVALID_ARGUMENT  | unpaired surrogates
					POST  | S           | {'displayName': '\\u0000'}     | 400 | INVALID_ARGUMENT  | displayName must not contain U+0000
					POST  | S           | {'labels': {'a': '\\u0000'}}   | 400 | INVALID_ARGUMENT  | labels must not contain U+0000
					POST  | S           | {'labels': {'a\\ud83d': '\\ude00b'}} | 400 | INVALID_ARGUMENT | labels must not contain U+0000 or unpaired surrogates
					POST  | S           | {'labels': {'a\\ud83d': 'b'}}  | 400 | INVALID_ARGUMENT  | labels must not contain U+0000 or unpaired surrogates
					PATCH | S/s1        | {'stateDelta': {'k': 2, '\\u0000': 1}} | 400 | INVALID_ARGUMENT | stateDelta has the key
					PATCH | A/state     | {'k': 2, '\\u0000': 1}         | 400 | INVALID_ARGUMENT  | The body has the key '\\u0000'
					PATCH | U/state     | {'k': 2, '{x*513}': 1}         | 400 | INVALID_ARGUMENT  | The body has a key of more than 512 characters
					PATCH | U/state     | {'k': 2, 'user:j': 1}          | 400 | INVALID_ARGUMENT  | user:j must be written without prefix here
					POST  | S/s1/events | {'id': 'a/b'}                  | 400 | INVALID_ARGUMENT  | id must not contain
					POST  | S/s1/events | {'id': '{x*513}'}              | 400 | INVALID_ARGUMENT  | id must have at most 512 characters
					POST  | S/s1/events | {'author': '\\u0000'}          | 400 | INVALID_ARGUMENT  | author must not contain U+0000
					POST  | S/s1/events | {'invocationId': '\\udc00'}    | 400 | INVALID_ARGUMENT  | invocationId must not contain U+0000 or unpaired surrogates
					POST  | S/s1/events | {'actions': {'stateDelta': {'k': 2, 'a\\u0000': 1}}} | 400 | INVALID_ARGUMENT | actions.stateDelta has the key
					POST  | S/s1/events | {'actions': {'stateDelta': {'{x*513}': 1}}} | 400 | INVALID_ARGUMENT | actions.stateDelta has a key of more than 512
					POST  | S/s2?bodyStyle=x | {}                        | 400 | INVALID_ARGUMENT  | bodyStyle must be raw or wrapped
					# fields that no request of ours has, and that no client of ADK sends
					POST  | S/s1:fork   | {'userId': 'bob'}              | 422 | VALIDATION_FAILED | userId is no field here; the body may have atSeq, beforeInvocationId, displayName, expireTime, labels, sessionId, ttl
					POST  | S/s1:rewind | {'beforeInvocationId': 'i', 'userId': 'bob'} | 422 | VALIDATION_FAILED | userId is no field here; the body may have beforeEventId, beforeInvocationId, beforeSeq, eventId
					POST  | S/s1:acquire | {'holder': 'h', 'session': 's2'} | 422 | VALIDATION_FAILED | session is no field here; the body may have exclusive, holder, ttl
					POST  | S/s1:render | {'template': '', 'state': {}}  | 422 | VALIDATION_FAILED | state is no field here; the body may have template
					POST  | S/s1/events:batch | {'events': [{}], 'author': 'a'} | 422 | VALIDATION_FAILED | author is no field here; the body may have events
					# what PATCH of a session has is no change of shared state
					PATCH | A/state     | {'removeKeys': ['k']}          | 422 | VALIDATION_FAILED | removeKeys is a field of PATCH .../sessions/{sessionId} only
					PATCH | U/state     | {'k': 2, 'remove_keys': []}    | 422 | VALIDATION_FAILED | remove_keys is a field of PATCH .../sessions/{sessionId} only
					PATCH | U/state     | {'stateDelta': {'k': 2}}       | 422 | VALIDATION_FAILED | stateDelta is a field of PATCH .../sessions/{sessionId} only
					PATCH | A/state     | {'state_delta': {'k': 2}}      | 422 | VALIDATION_FAILED | state_delta is a field of PATCH .../sessions/{sessionId} only
					# not there
					POST  | S/none/events | {}                           | 404 | SESSION_NOT_FOUND | Session not found
					PATCH | S/none      | {'stateDelta': {'app:k': 2}}   | 404 | SESSION_NOT_FOUND | Session not found
					POST  | S/none:render | {'template': ''}             | 404 | SESSION_NOT_FOUND | Session not found
					GET   | S/none      |                                | 404 | SESSION_NOT_FOUND | Session not found
					GET   | S/none/events |                              | 404 | SESSION_NOT_FOUND | Session not found
					GET   | S/none/events/e1 |                           | 404 | EVENT_NOT_FOUND   | Event not found
					GET   | S/s1/events/none |                           | 404 | EVENT_NOT_FOUND   | Event not found
					# query parameters
					GET   | S/s1?numRecentEvents=-1  |  | 400 | INVALID_ARGUMENT | numRecentEvents must not be negative
					GET   | S/s1?numRecentEvents=x   |  | 400 | INVALID_ARGUMENT | numRecentEvents must be a whole number
					GET   | S/s1?numRecentEvents=1.5 |  | 400 | INVALID_ARGUMENT | numRecentEvents must be a whole number
					GET   | S/s1?numRecentEvents=99999999999 |  | 400 | INVALID_ARGUMENT | numRecentEvents must be a whole number, and not too large
					GET   | S/s1?afterTimestamp=x    |  | 400 | INVALID_ARGUMENT | afterTimestamp must be a time
					GET   | S/s1/events?limit=0      |  | 400 | INVALID_ARGUMENT | limit must be at least 1
					GET   | S/s1/events?limit=-1     |  | 400 | INVALID_ARGUMENT | limit must be at least 1
					GET   | S/s1/events?limit=x      |  | 400 | INVALID_ARGUMENT | limit must be a whole number
					GET   | S/s1/events?afterSeq=-1  |  | 400 | INVALID_ARGUMENT | afterSeq must not be negative
					GET   | S/s1/events?afterSeq=x   |  | 400 | INVALID_ARGUMENT | afterSeq must be a whole number
					GET   | S/s1/events?limit=0x10   |  | 400 | INVALID_ARGUMENT | limit must be a whole number
					GET   | S/s1/events?afterSeq=%2B1 |  | 400 | INVALID_ARGUMENT | afterSeq must be a whole number
					GET   | S/s1/events/e1/parts/+0  |  | 400 | INVALID_ARGUMENT | part must be a whole number
					GET   | S/s1/events/e1/parts/-0  |  | 400 | INVALID_ARGUMENT | part must be a whole number
					GET   | S/s1/events/e1/parts/0x0 |  | 400 | INVALID_ARGUMENT | part must be a whole number
					GET   | S/s1?atSeq=-1            |  | 400 | INVALID_ARGUMENT | atSeq must not be negative
					GET   | S/s1/state?atSeq=-1      |  | 400 | INVALID_ARGUMENT | atSeq must not be negative
					GET   | S/s1/events?order=up     |  | 400 | INVALID_ARGUMENT | order must be asc or desc
					GET   | S/s1/events?afterTimestamp=x |  | 400 | INVALID_ARGUMENT | afterTimestamp must be a time
					GET   | S/s1/events?pageToken=x  |  | 400 | INVALID_ARGUMENT | pageToken must be one that the service has given to you for the same query
					GET   | S/s1/events?pageToken=AAAA |  | 400 | INVALID_ARGUMENT | pageToken must be one that the service has given to you for the same query
					GET   | S/s1/events?author=%00   |  | 400 | INVALID_ARGUMENT | author must not contain U+0000
					GET   | S/s1/events?invocationId=a%00 |  | 400 | INVALID_ARGUMENT | invocationId must not contain U+0000
					GET   | S/s1/events?author=%FF   |  | 400 | INVALID_ARGUMENT | The query must be UTF-8
					GET   | S/s1/events?author=%ED%A0%80 |  | 400 | INVALID_ARGUMENT | The query must be UTF-8
					GET   | S?limit=0                |  | 400 | INVALID_ARGUMENT | limit must be at least 1
					GET   | S?limit=1&limit=2        |  | 400 | INVALID_ARGUMENT | limit must be given only once
					GET   | S/s1?atSeq=1&atSeq=2     |  | 400 | INVALID_ARGUMENT | atSeq must be given only once
					GET   | S?limit=99999999999      |  | 400 | INVALID_ARGUMENT | limit must be a whole number, and not too large
					GET   | S?order=up               |  | 400 | INVALID_ARGUMENT | order must be asc or desc
					GET   | S?includeState=maybe     |  | 400 | INVALID_ARGUMENT | includeState must be true or false
					GET   | S?includeEval=7          |  | 400 | INVALID_ARGUMENT | includeEval must be true or false
					GET   | S?label=x                |  | 400 | INVALID_ARGUMENT | label must be written key=value
					GET   | S?label=a=%00            |  | 400 | INVALID_ARGUMENT | label must not contain U+0000
					GET   | S?displayName=%00        |  | 400 | INVALID_ARGUMENT | displayName must not contain U+0000
					GET   | S?displayName=%FF        |  | 400 | INVALID_ARGUMENT | The query must be UTF-8
					GET   | S?pageToken=x            |  | 400 | INVALID_ARGUMENT | pageToken must be one that the service has given to you for the same query
					GET   | A/sessions?limit=-5      |  | 400 | INVALID_ARGUMENT | limit must be at least 1
					GET   | A/sessions?pageToken=%20 |  | 400 | INVALID_ARGUMENT | pageToken must be one that the service has given to you for the same query
					POST  | S/s1/events?lastUpdateTime=now | {} | 400 | INVALID_ARGUMENT | lastUpdateTime must be a time
					POST  | S/s1/events?lastUpdateTime=NaN | {} | 400 | INVALID_ARGUMENT | lastUpdateTime must be a time
					PATCH | S/s1?lastUpdateTime=x | {'stateDelta': {'k': 2}} | 400 | INVALID_ARGUMENT | lastUpdateTime must be a time
					# ids in the path
					GET   | S/%20                |  | 400 | INVALID_ARGUMENT | sessionId must not be blank
					GET   | A/users/%20/sessions |  | 400 | INVALID_ARGUMENT | userId must not be blank
					GET   | /apps/%09/sessions   |  | 400 | INVALID_ARGUMENT | appName must not be blank
					GET   | S/a%0Ab              |  | 400 | INVALID_ARGUMENT | sessionId must not contain control characters
					GET   | S/a%7Fb              |  | 400 | INVALID_ARGUMENT | sessionId must not contain control characters
					GET   | S/a%C2%85b           |  | 400 | INVALID_ARGUMENT | sessionId must not contain control characters
					GET   | S/a%3Bb              |  | 400 | INVALID_ARGUMENT | sessionId must not contain
					GET   | S/a%25b              |  | 400 | INVALID_ARGUMENT | sessionId must not contain
					GET   | S/s1;b               |  | 400 | INVALID_ARGUMENT | The path must not contain ;
					PATCH | A;b=c/state          | {'k': 2} | 400 | INVALID_ARGUMENT | The path must not contain ;
					GET   | S/.                  |  | 400 | INVALID_ARGUMENT | The path must not contain the segments . or ..
					GET   | S/..                 |  | 400 | INVALID_ARGUMENT | The path must not contain the segments . or ..
					GET   | S/%2e%2E             |  | 400 | INVALID_ARGUMENT | sessionId must not be '.' or '..'
					GET   | A/users/../sessions  |  | 400 | INVALID_ARGUMENT | The path must not contain the segments . or ..
					GET   | A/users/%2e/state    |  | 400 | INVALID_ARGUMENT | userId must not be '.' or '..'
					PATCH | /apps/../state       | {'k': 2} | 400 | INVALID_ARGUMENT | The path must not contain the segments . or ..
					DELETE | S/..                |  | 400 | INVALID_ARGUMENT | The path must not contain the segments . or ..
					GET   | S/{x*513}            |  | 400 | INVALID_ARGUMENT | sessionId must have at most 512 characters
					GET   | A/users/{x*513}/sessions |  | 400 | INVALID_ARGUMENT | userId must have at most 512 characters
					GET   | /apps/{x*513}/state  |  | 400 | INVALID_ARGUMENT | appName must have at most 512 characters
					GET   | S/a%2Fb              |  | 400 | INVALID_ARGUMENT | sessionId must not contain any of / \\ ; %
					POST  | S/a%5Cb              | {} | 400 | INVALID_ARGUMENT | sessionId must not contain any of / \\ ; %
					GET   | A%2F/state           |  | 400 | INVALID_ARGUMENT | appName must not contain any of / \\ ; %
					GET   | S/s1/events/e1%2F    |  | 400 | INVALID_ARGUMENT | eventId must not contain any of / \\ ; %
					GET   | A/users/a;b/sessions |  | 400 | INVALID_ARGUMENT | The path must not contain ;
					# refused by the servlet container
					DELETE | S/a%00b             |  | 400 | INVALID_ARGUMENT | has a NUL in it
					DELETE | A/users/a%00b       |  | 400 | INVALID_ARGUMENT | has a NUL in it
					GET   | S/%FF                |  | 400 | INVALID_ARGUMENT | not UTF-8
					GET   | S/%ED%A0%80          |  | 400 | INVALID_ARGUMENT | not UTF-8
					GET   | S?x={x*70000}        |  | 400 | INVALID_ARGUMENT | not valid HTTP
					TRACE | S                    |  | 405 | METHOD_NOT_ALLOWED | Method Not Allowed
					# no such path or method
					GET   | /nothing             |  | 404 | NOT_FOUND | nothing at this path
					GET   | //nothing            |  | 404 | NOT_FOUND | nothing at this path
					GET   | /error               |  | 404 | NOT_FOUND | nothing at this path
					GET   | /apps                |  | 404 | NOT_FOUND | nothing at this path
					GET   | A                    |  | 404 | NOT_FOUND | nothing at this path
					GET   | U                    |  | 405 | METHOD_NOT_ALLOWED | Method 'GET' is not supported
					GET   | U/                   |  | 405 | METHOD_NOT_ALLOWED | Method 'GET' is not supported
					GET   | S//                  |  | 404 | NOT_FOUND | nothing at this path
					DELETE | S/                  |  | 405 | METHOD_NOT_ALLOWED | Method 'DELETE' is not supported
					GET   | S/s1/events/e1/more  |  | 404 | NOT_FOUND | nothing at this path
					GET   | /apps//users/u/sessions |  | 404 | NOT_FOUND | nothing at this path
					POST  | /run                 | {} | 404 | NOT_FOUND | nothing at this path
					PUT   | S/s1                 | {} | 405 | METHOD_NOT_ALLOWED | Method 'PUT' is not supported
					DELETE | S                   |  | 405 | METHOD_NOT_ALLOWED | Method 'DELETE' is not supported
					PATCH | S                    | {} | 405 | METHOD_NOT_ALLOWED | Method 'PATCH' is not supported
					DELETE | S/s1/events/e1      |  | 405 | METHOD_NOT_ALLOWED | Method 'DELETE' is not supported
					PUT   | A/state              | {} | 405 | METHOD_NOT_ALLOWED | Method 'PUT' is not supported
					POST  | /health              | {} | 405 | METHOD_NOT_ALLOWED | Method 'POST' is not supported
					""")
	void isRefused(String method, String path, @Nullable String body, int status, String code, String text) {
		String before = everything();

		Answer answer = send(method, path, body, "Content-Type", "application/json");

		assertThat(answer.problem(status, code).detail().replace('"', '\'')).contains(text);
		assertThat(everything()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "''", "'2", "2, 3", "-1", "W/2" })
	void refusesAPreconditionThatIsNoTag(String ifMatch) {
		String before = everything();
		String header = Json.of(ifMatch);

		Answer event = this.api.append("s1", "{'actions': {'stateDelta': {'k': 2}}}", "If-Match", header);
		Answer update = this.api.update("s1", "{'stateDelta': {'k': 2}}", "If-Match", header);

		assertThat(event.problem(400, "INVALID_ARGUMENT").detail()).startsWith("If-Match must be a tag");
		update.problem(400, "INVALID_ARGUMENT");
		assertThat(everything()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "none", value = { "none, 415", "application/*+json, 415", "text/plain, 415",
			"application/x-yaml, 415", "application/x-www-form-urlencoded, 415", "multipart/form-data, 415",
			"multipart/form-data; boundary=x, 415", "nonsense, 415", "application/json; charset=nonsense, 415" })
	void refusesABodyThatIsNotDeclaredAsJson(@Nullable String type, int status) {
		String[] headers = (type != null) ? new String[] { "Content-Type", type } : new String[0];

		Answer answer = send("POST", "S/s1/events", "{}", headers);

		answer.problem(status, "UNSUPPORTED_MEDIA_TYPE");
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/html", "application/xml" })
	void refusesToAnswerInAnotherFormat(String accept) {
		send("GET", "S/s1", null, "Accept", accept).problem(406, "NOT_ACCEPTABLE");
		send("GET", "S/none", null, "Accept", accept).problem(404, "SESSION_NOT_FOUND");
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/html", "application/xml", "text/event-stream, text/html" })
	void storesNothingThatItCannotAnswer(String accept) {
		String before = everything();

		send("POST", "S/s1/events", "{\"author\":\"a\"}", "Content-Type", "application/json", "Accept", accept)
			.problem(406, "NOT_ACCEPTABLE");
		send("POST", "S/new", "{}", "Content-Type", "application/json", "Accept", accept).problem(406,
				"NOT_ACCEPTABLE");
		send("PATCH", "S/s1", "{\"displayName\":\"x\"}", "Content-Type", "application/json", "Accept", accept)
			.problem(406, "NOT_ACCEPTABLE");

		assertThat(everything()).isEqualTo(before);
	}

	@Test
	void storesWhatItCanAnswerInOneOfSeveralFormats() {
		String[] accept = { "Content-Type", "application/json", "Accept", "text/html, application/*;q=0.5" };

		assertThat(send("POST", "S/s1/events", "{\"author\":\"a\"}", accept).status()).isEqualTo(200);
	}

	@Test
	void refusesToAnswerInNoFormat() {
		send("GET", "S/s1", null, "Accept", "nonsense").problem(406, "NOT_ACCEPTABLE");
		send("GET", "S/none", null, "Accept", "nonsense").problem(404, "SESSION_NOT_FOUND");
		send("POST", "S/new", "{}", "Accept", "nonsense").problem(406, "NOT_ACCEPTABLE");
		send("GET", "S/new", null).problem(404, "SESSION_NOT_FOUND");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"k\":\"\u00ff\"}", "{\"\u00c3\u0028\":1}", "{\"k\":\"\u00ed\u00a0\u0080\"}",
			"\u00ff\u00fe{}" })
	void refusesABodyThatIsNotUtf8(String bytes) {
		String before = everything();

		Answer answer = this.api.http().post(this.api.eventsPath("s1"), bytes.getBytes(StandardCharsets.ISO_8859_1));

		assertThat(answer.problem(400, "INVALID_ARGUMENT").detail()).contains("it is not UTF-8");
		assertThat(everything()).isEqualTo(before);
	}

	private Answer send(String method, String path, @Nullable String body, String... headers) {
		BodyPublisher publisher = (body != null) ? BodyPublishers.ofString(Json.of(expand(body)))
				: BodyPublishers.noBody();
		return this.api.http().send(method, expand(absolute(path)), publisher, headers);
	}

	private String absolute(String path) {
		return switch (path.charAt(0)) {
			case 'S' -> this.api.sessionsPath() + path.substring(1);
			case 'U' -> this.api.userPath() + path.substring(1);
			case 'A' -> this.api.appPath() + path.substring(1);
			default -> path;
		};
	}

	private static String expand(String text) {
		return REPEATED.matcher(text).replaceAll((match) -> match.group(1).repeat(Integer.parseInt(match.group(2))));
	}

	/** All that a request could have changed; every event changes a last update time. */
	private String everything() {
		return send("GET", "A/sessions?includeEval=true", null).ok().body();
	}

}

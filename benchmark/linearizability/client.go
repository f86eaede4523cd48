package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// The service responds sooner, with 503 if it cannot do more.
const longestAnswer = 40 * time.Second

var client = http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}

type object map[string]any

// The response of a replica; none if the request may have happened or not. The error says that it has not happened.
func ask(ctx context.Context, address, sessions, id string, in Input) (*Output, error) {
	hurried, cancel := context.WithTimeout(ctx, longestAnswer)
	defer cancel()
	request, err := request(hurried, address+sessions, id, in)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return nil, err
	}
	if err != nil {
		return nil, nil
	}
	defer response.Body.Close()
	if in.Kind == "watch" && response.StatusCode == http.StatusOK {
		return watched(ctx, response.Body), nil
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode == http.StatusServiceUnavailable {
		return nil, nil
	}
	return output(in, response, body), nil
}

func request(ctx context.Context, sessions, id string, in Input) (*http.Request, error) {
	method, path, body := "GET", "/"+id, object(nil)
	switch in.Kind {
	case "create":
		method, path, body = "POST", "", object{"sessionId": id}
	case "delete":
		method = "DELETE"
	case "append":
		method, path, body = appending(id, in.Events)
	case "read":
		if in.Newest > 0 {
			path += fmt.Sprint("?numRecentEvents=", in.Newest)
		}
	case "page":
		path += "/events?order=desc&limit=1"
		if in.After != "" {
			path += "&pageToken=" + in.After
		}
	case "watch":
		path += "/events:watch"
	}
	var sent []byte
	if body != nil {
		sent, _ = json.Marshal(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, sessions+path, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if in.IfMatch != "" {
		request.Header.Set("If-Match", `"`+in.IfMatch+`"`)
	}
	if in.Kind == "watch" && in.After != "" {
		request.Header.Set("Last-Event-ID", in.After)
	}
	return request, nil
}

// Appends one event, or several in a batch.
func appending(id string, ids []string) (string, string, object) {
	var events []object
	for _, event := range ids {
		events = append(events, object{"id": event, "author": "agent", "timestamp": 1767225600,
			"actions": object{"stateDelta": object{"last": event}}})
	}
	if len(events) == 1 {
		return "POST", "/" + id + "/events", events[0]
	}
	return "POST", "/" + id + "/events:batch", object{"events": events}
}

func output(in Input, response *http.Response, body []byte) *Output {
	out := &Output{Status: response.StatusCode, Tag: strings.Trim(response.Header.Get("ETag"), `"`),
		Replayed: response.Header.Get("Idempotent-Replayed") == "true"}
	var session struct {
		Etag   string
		State  struct{ Last string }
		Events []struct{ Id string }
		Seqs   []int
		Token  string `json:"nextPageToken"`
	}
	if in.Kind == "read" || in.Kind == "page" || out.Status == http.StatusPreconditionFailed {
		if err := json.Unmarshal(body, &session); err != nil {
			// A body that is broken off is an answer that nothing explains
			return &Output{}
		}
	}
	if out.Status == http.StatusPreconditionFailed {
		out.Tag = strings.Trim(session.Etag, `"`)
	}
	if in.Kind == "page" && len(session.Seqs) > 0 {
		out.Tag, out.Token = fmt.Sprint(session.Seqs[0]), session.Token
	}
	if in.Kind == "read" {
		out.Last = session.State.Last
		for _, event := range session.Events {
			out.Events = append(out.Events, event.Id)
		}
	}
	return out
}

// Now and then a client disconnects before the response comes.
func withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if rand.IntN(100) < 3 {
		return context.WithTimeout(ctx, rand.N(5*time.Millisecond))
	}
	return context.WithCancel(ctx)
}

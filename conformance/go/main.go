// The shortest program whose sessions live in Agent Sessions.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

type object map[string]any

func call(method, path string, body any) (object, error) {
	url := os.Getenv("AGENT_SESSIONS_URL")
	if url == "" {
		url = "http://localhost:8080"
	}
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(method, url+"/apps/my-app/users/alice/sessions"+path, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s %w", response.Status, text, err)
	}
	answer := object{}
	return answer, json.Unmarshal(text, &answer)
}

func quickstart() error {
	session, err := call("POST", "", object{"state": object{"user:name": "Alice"}})
	if err != nil {
		return err
	}
	path := "/" + session["id"].(string)
	hello := object{
		"author":       "user",
		"invocationId": "i-1",
		"content":      object{"role": "user", "parts": []object{{"text": "Hello"}}},
		"actions":      object{"stateDelta": object{"topic": "greeting"}},
	}
	if _, err = call("POST", path+"/events", hello); err != nil {
		return err
	}
	stored, err := call("GET", path, nil)
	if err != nil {
		return err
	}
	fmt.Println(stored["state"], len(stored["events"].([]any)), "event")
	return nil
}

func main() {
	if err := quickstart(); err != nil {
		fmt.Println("go net/http: 0 passed, 1 failed:", err)
		os.Exit(1)
	}
	fmt.Println("go net/http: 1 passed, 0 failed")
}

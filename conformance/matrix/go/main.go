// Writes every field that events of ADK Go have, and copies sessions, through the client of this project.
//
//	go run . write SESSION
//	go run . copy FROM TO
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"agentsessions.dev/agentsessions"
	"cloud.google.com/go/civil"
	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

// octets are +/++Pj8h in Base64, and -_--Pj8h in the other alphabet.
var octets = []byte("\xfb\xff\xbe>?!")

var start = time.UnixMicro(1767225600123456).UTC()

// own are fields with values of the program's own. No service stores what is partial.
var own = []string{"ID", "Author", "InvocationID", "Timestamp", "Partial", "Content", "LLMResponse"}

// kinds are the fields of a part of which only one may be set; the others stand beside a text.
var kinds = []string{
	"Text", "InlineData", "FileData", "FunctionCall", "FunctionResponse", "ExecutableCode", "CodeExecutionResult", "ToolCall",
	"ToolResponse",
}

var given = map[reflect.Type]any{
	reflect.TypeFor[[]byte]():            octets,
	reflect.TypeFor[time.Duration]():     2500 * time.Millisecond,
	reflect.TypeFor[civil.Date]():        civil.Date{Year: 2026, Month: 1, Day: 2},
	reflect.TypeFor[jsonschema.Schema](): jsonschema.Schema{Type: "object"},
	reflect.TypeFor[any]():               map[string]any{"some_key": []any{1, nil, "x"}},

	reflect.TypeFor[genai.FinishReason]():               genai.FinishReasonStop,
	reflect.TypeFor[genai.Language]():                   genai.LanguagePython,
	reflect.TypeFor[genai.Outcome]():                    genai.OutcomeOK,
	reflect.TypeFor[genai.MediaModality]():              genai.MediaModalityText,
	reflect.TypeFor[genai.TrafficType]():                genai.TrafficTypeOnDemand,
	reflect.TypeFor[genai.FunctionResponseScheduling](): genai.FunctionResponseSchedulingSilent,
	reflect.TypeFor[genai.PartMediaResolutionLevel]():   genai.PartMediaResolutionLevelMediaResolutionLow,
	reflect.TypeFor[genai.ToolType]():                   genai.ToolTypeGoogleSearchWeb,
}

func main() {
	ctx, service := context.Background(), agentsessions.New("")
	name, events := os.Args[len(os.Args)-1], all()
	if os.Args[1] == "copy" {
		read, err := service.Get(ctx, &session.GetRequest{AppName: "matrix", UserID: "u", SessionID: os.Args[2]})
		check(err)
		events = slices.Collect(read.Session.Events().All())
	}
	created, err := service.Create(ctx, &session.CreateRequest{AppName: "matrix", UserID: "u", SessionID: name})
	check(err)
	for _, event := range events {
		check(service.AppendEvent(ctx, created.Session, event))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// all returns one event for each field of a part, and one for each field of an event.
func all() (events []*session.Event) {
	for _, field := range fields[genai.Part]() {
		part := &genai.Part{}
		if !slices.Contains(kinds, field.Name) {
			part.Text = "t"
		}
		set(reflect.ValueOf(part).Elem(), field)
		event := &session.Event{}
		event.Content = &genai.Content{Role: "model", Parts: []*genai.Part{part}}
		events = append(events, event)
	}
	for _, field := range fields[session.Event]() {
		if !slices.Contains(own, field.Name) {
			event := &session.Event{}
			set(reflect.ValueOf(event).Elem(), field)
			events = append(events, event)
		}
	}
	for number, event := range events {
		event.ID, event.Author, event.InvocationID = fmt.Sprintf("e-%d", number), "agent", "i-1"
		event.Timestamp = start.Add(time.Duration(number) * time.Second)
	}
	return events
}

func fields[T any]() []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[T]()), func(field reflect.StructField) bool {
		return !field.IsExported() || field.Tag.Get("json") == "-"
	})
}

func set(within reflect.Value, field reflect.StructField) {
	fill(within.FieldByIndex(field.Index), strings.Split(field.Tag.Get("json"), ",")[0])
}

// fill sets a value with all fields that its type has.
func fill(value reflect.Value, name string) {
	if one, ok := given[value.Type()]; ok {
		value.Set(reflect.ValueOf(one))
		return
	}
	switch value.Kind() {
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem(), name)
	case reflect.Slice:
		value.Set(items(value.Type(), name))
	case reflect.Map:
		item := reflect.New(value.Type().Elem()).Elem()
		fill(item, name)
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(reflect.ValueOf("some_key"), item)
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(value.Type()) {
			set(value, field)
		}
	case reflect.String:
		value.SetString(text(name))
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Float32, reflect.Float64:
		value.SetFloat(1.25)
	default:
		value.SetInt(7)
	}
}

// items returns one item, or in a function response one for each kind of part.
func items(t reflect.Type, name string) reflect.Value {
	list := reflect.MakeSlice(t, 0, 1)
	if t != reflect.TypeFor[[]*genai.FunctionResponsePart]() {
		item := reflect.New(t.Elem()).Elem()
		fill(item, name)
		return reflect.Append(list, item)
	}
	for _, field := range fields[genai.FunctionResponsePart]() {
		part := &genai.FunctionResponsePart{}
		set(reflect.ValueOf(part).Elem(), field)
		list = reflect.Append(list, reflect.ValueOf(part))
	}
	return list
}

func text(name string) string {
	if found, ok := map[string]string{"mimeType": "image/png", "nullValue": "NULL_VALUE"}[name]; ok {
		return found
	}
	return name
}

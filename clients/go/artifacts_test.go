// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions_test

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"testing"
	"time"

	"agentsessions.dev/agentsessions"
	"github.com/google/uuid"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/artifact"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
)

// files are the artifacts of one user and one session, which does not exist before the first save.
type files struct {
	t       *testing.T
	service *agentsessions.Artifacts
	user    string
	session string
}

func newFiles(t *testing.T) *files {
	return &files{t, agentsessions.New("").Artifacts(), uuid.NewString(), uuid.NewString()}
}

func (f *files) save(name string, part *genai.Part) int64 {
	f.t.Helper()
	saved, err := f.service.Save(f.t.Context(), &artifact.SaveRequest{
		AppName: app, UserID: f.user, SessionID: f.session, FileName: name, Part: part,
	})
	check(f.t, err)
	return saved.Version
}

func (f *files) load(name string, version int64) (*genai.Part, error) {
	loaded, err := f.service.Load(f.t.Context(), &artifact.LoadRequest{
		AppName: app, UserID: f.user, SessionID: f.session, FileName: name, Version: version,
	})
	if err != nil {
		return nil, err
	}
	return loaded.Part, nil
}

func (f *files) has(name string, version int64, want *genai.Part) {
	f.t.Helper()
	part, err := f.load(name, version)
	check(f.t, err)
	same(f.t, part, want)
}

func (f *files) hasNot(name string, version int64) {
	f.t.Helper()
	_, err := f.load(name, version)
	is(f.t, err, fs.ErrNotExist)
}

func (f *files) delete(name string, version int64) {
	f.t.Helper()
	check(f.t, f.service.Delete(f.t.Context(), &artifact.DeleteRequest{
		AppName: app, UserID: f.user, SessionID: f.session, FileName: name, Version: version,
	}))
}

func (f *files) names() []string {
	f.t.Helper()
	list, err := f.service.List(f.t.Context(), &artifact.ListRequest{AppName: app, UserID: f.user, SessionID: f.session})
	check(f.t, err)
	return list.FileNames
}

func (f *files) versions(name string) ([]int64, error) {
	list, err := f.service.Versions(f.t.Context(), &artifact.VersionsRequest{
		AppName: app, UserID: f.user, SessionID: f.session, FileName: name,
	})
	if err != nil {
		return nil, err
	}
	return list.Versions, nil
}

func (f *files) metadata(name string, version int64) (*artifact.ArtifactVersion, error) {
	found, err := f.service.GetArtifactVersion(f.t.Context(), &artifact.GetArtifactVersionRequest{
		AppName: app, UserID: f.user, SessionID: f.session, FileName: name, Version: version,
	})
	if err != nil {
		return nil, err
	}
	return found.ArtifactVersion, nil
}

func plainBytes(text string) *genai.Part { return genai.NewPartFromBytes([]byte(text), "text/plain") }

// The cases of ADK Go's own tests of artifact services, for a name of the session and one of the user.
func TestKeepsVersionsOfArtifacts(t *testing.T) {
	for _, prefix := range []string{"", "user:"} {
		t.Run(prefix, func(t *testing.T) {
			f := newFiles(t)
			plan, note := prefix+"plan", prefix+"note"
			for i, text := range []string{"one", "two", "three"} {
				equal(t, f.save(plan, plainBytes(text)), int64(i+1))
			}
			equal(t, f.save("map", plainBytes("of Kyoto")), 1)
			equal(t, f.save(note, genai.NewPartFromText("Bring tea")), 1)
			f.has(plan, 0, plainBytes("three"))
			f.has(plan, 1, plainBytes("one"))
			f.has(plan, 2, plainBytes("two"))
			f.has(note, 1, genai.NewPartFromText("Bring tea"))
			same(t, f.names(), map[string][]string{"": {"map", "note", "plan"}, "user:": {"map", "user:note", "user:plan"}}[prefix])
			versions, err := f.versions(plan)
			check(t, err)
			same(t, versions, []int64{1, 2, 3})
			f.delete(plan, 3)
			f.has(plan, 0, plainBytes("two"))
			f.hasNot(plan, 3)
			f.delete(plan, 0)
			f.hasNot(plan, 0)
			same(t, f.names(), []string{"map", note})
			_, err = f.versions(plan)
			is(t, err, fs.ErrNotExist)
		})
	}
}

func TestFindsNoArtifactInASessionThatDoesNotExist(t *testing.T) {
	f := newFiles(t)
	f.hasNot("plan", 0)
	equal(t, len(f.names()), 0)
	f.delete("plan", 0)
	f.delete("plan", 1)
	_, err := f.versions("plan")
	is(t, err, fs.ErrNotExist)
	_, err = f.metadata("plan", 0)
	is(t, err, fs.ErrNotExist)
	f.save("user:plan", plainBytes("one"))
	same(t, f.names(), []string{"user:plan"})
	_, err = agentsessions.New("").Get(t.Context(), &session.GetRequest{AppName: app, UserID: f.user, SessionID: f.session})
	is(t, err, agentsessions.ErrNotFound) // a name of the user needs no session
}

func TestReadsTheMetadataOfEachVersion(t *testing.T) {
	f := newFiles(t)
	f.save("plan", plainBytes("one"))
	f.save("plan", genai.NewPartFromBytes([]byte("<p>two</p>"), "text/html"))
	for version, want := range map[int64]artifact.ArtifactVersion{
		0: {Version: 2, MimeType: "text/html"}, 1: {Version: 1, MimeType: "text/plain"}, 2: {Version: 2, MimeType: "text/html"},
	} {
		found, err := f.metadata("plan", version)
		check(t, err)
		equal(t, found.Version, want.Version)
		equal(t, found.MimeType, want.MimeType)
		if age := time.Since(found.CreateTime); age < -time.Minute || age > time.Minute {
			t.Error(found.CreateTime)
		}
	}
	_, err := f.metadata("plan", 99)
	is(t, err, fs.ErrNotExist)
	_, err = f.metadata("other", 0)
	is(t, err, fs.ErrNotExist)
}

func TestKeepsBytesTextsAndReferencesAsTheyWere(t *testing.T) {
	f := newFiles(t)
	name := `é &?#25+"x".p:content`
	parts := []*genai.Part{
		genai.NewPartFromBytes([]byte{0, 1, 254, 255, '\r', '\n'}, "image/png"),
		genai.NewPartFromBytes([]byte("<script>"), "text/html; charset=utf-8"),
		genai.NewPartFromBytes(bytes.Repeat([]byte{7, 0}, 3<<20), "video/mp4"),
		genai.NewPartFromText("🗻 \r\n\x01"),
	}
	for i, part := range parts {
		equal(t, f.save(name, part), int64(i+1))
	}
	for i, part := range parts {
		f.has(name, int64(i+1), part)
	}
	same(t, f.names(), []string{name})
	f.save("untyped", &genai.Part{InlineData: &genai.Blob{Data: []byte("x")}})
	f.has("untyped", 0, genai.NewPartFromBytes([]byte("x"), "application/octet-stream"))
	post(t, "/apps/"+app+"/users/"+f.user+"/sessions/"+f.session+"/artifacts",
		`{"filename": "far", "artifact": {"fileData": {"fileUri": "gs://bucket/far.pdf", "mimeType": "application/pdf"}}}`)
	f.has("far", 0, genai.NewPartFromURI("gs://bucket/far.pdf", "application/pdf"))
	f.has("far", 1, genai.NewPartFromURI("gs://bucket/far.pdf", "application/pdf"))
}

func TestALostAnswerSavesOnce(t *testing.T) {
	proxy := os.Getenv("CONFORMANCE_FAULTS")
	if proxy == "" {
		t.Skip("CONFORMANCE_FAULTS names no proxy")
	}
	for _, part := range []*genai.Part{plainBytes("one"), genai.NewPartFromText("one")} {
		f := newFiles(t)
		f.service = agentsessions.New(proxy).Artifacts()
		post(t, proxy+"/faults/pass,pass,unanswered", "") // there is no session, so it is created, then the part is saved
		equal(t, f.save("plan", part), 1)
		post(t, proxy+"/faults/unanswered,half-answered", "")
		equal(t, f.save("plan", part), 2)
		versions, err := f.versions("plan")
		check(t, err)
		same(t, versions, []int64{1, 2})
	}
}

func TestLoadsNoOtherVersionThanTheOneAskedFor(t *testing.T) {
	f := newFiles(t)
	f.save("plan", plainBytes("one"))
	for _, version := range []int64{2, math.MaxInt32, math.MaxInt32 + 1, 1 << 32, 1<<32 + 1, math.MaxInt64} {
		f.hasNot("plan", version)
		_, err := f.metadata("plan", version)
		is(t, err, fs.ErrNotExist)
		f.delete("plan", version)
	}
	f.delete("plan", -1)
	f.has("plan", -1, plainBytes("one")) // the newest, as in ADK's own services
	for _, name := range []string{"a/b", `a\b`, "", "..", "."} {
		if _, err := f.load(name, 0); err == nil {
			t.Error(name)
		}
	}
}

// An agent saves in Go. Its events and its artifacts have the same numbers for Go, and for all other languages.
func TestAnEventHasTheVersionThatLoads(t *testing.T) {
	f := newFiles(t)
	sessions := agentsessions.New("")
	f.service = sessions.Artifacts()
	type none struct{}
	saving, err := functiontool.New(functiontool.Config{Name: "count", Description: "Saves."},
		func(ctx agent.Context, _ none) (map[string]any, error) {
			for _, text := range []string{"one", "two"} {
				if _, err := ctx.Artifacts().Save(ctx, "plan", plainBytes(text)); err != nil {
					return nil, err
				}
			}
			_, err := ctx.Artifacts().Save(ctx, "note", plainBytes("first"))
			return map[string]any{"count": 3}, err
		})
	check(t, err)
	guide, err := llmagent.New(llmagent.Config{
		Name: "guide", Model: scripted{}, Instruction: "Help.", Tools: []tool.Tool{saving},
	})
	check(t, err)
	r, err := runner.New(runner.Config{AppName: app, Agent: guide, SessionService: sessions, ArtifactService: f.service})
	check(t, err)
	f.session = createFor(t, sessions, f.user).ID()
	for event, err := range r.Run(t.Context(), f.user, f.session, genai.NewContentFromText("Hi", "user"), agent.RunConfig{}) {
		check(t, err)
		equal(t, event.ErrorMessage, "")
	}
	req := &session.GetRequest{AppName: app, UserID: f.user, SessionID: f.session}
	inGo, err := sessions.Get(t.Context(), req)
	check(t, err)
	same(t, delta(inGo.Session), map[string]int64{"plan": 2, "note": 1})
	for name, version := range delta(inGo.Session) {
		f.has(name, version, map[string]*genai.Part{"plan": plainBytes("two"), "note": plainBytes("first")}[name])
	}
	elsewhere, err := agentsessions.New("").Get(t.Context(), req) // without artifacts, so nothing is converted
	check(t, err)
	same(t, delta(elsewhere.Session), map[string]int64{"plan": 1, "note": 0})
	for watched, err := range sessions.Watch(t.Context(), watching(inGo.Session, new(int))) {
		check(t, err)
		if len(watched.Event.Actions.ArtifactDelta) > 0 {
			same(t, watched.Event.Actions.ArtifactDelta, map[string]int64{"plan": 2, "note": 1})
			break
		}
	}
}

func TestARewindTakesArtifactsBack(t *testing.T) {
	f := newFiles(t)
	sessions := agentsessions.New("")
	f.service = sessions.Artifacts()
	trip := createFor(t, sessions, f.user)
	f.session = trip.ID()
	for i, text := range []string{"one", "two"} {
		said := event(i, nil)
		said.Actions.ArtifactDelta = map[string]int64{"plan": f.save("plan", plainBytes(text))}
		check(t, sessions.AppendEvent(t.Context(), trip, said))
		equal(t, trip.Events().At(i).Actions.ArtifactDelta["plan"], int64(i+1))
		equal(t, said.Actions.ArtifactDelta["plan"], int64(i+1))
	}
	rewound, err := sessions.Rewind(t.Context(), trip, "i-1")
	check(t, err)
	same(t, rewound.Actions.ArtifactDelta, map[string]int64{"plan": 3})
	f.has("plan", 3, plainBytes("one"))
	rewound, err = sessions.Rewind(t.Context(), trip, "i-0")
	check(t, err)
	same(t, rewound.Actions.ArtifactDelta, map[string]int64{"plan": 4})
	f.hasNot("plan", 0)
	f.hasNot("plan", 4)
	f.has("plan", 2, plainBytes("two"))
	equal(t, len(f.names()), 0)
}

// delta returns the newest version of each artifact, as the events of a session have it.
func delta(of session.Session) map[string]int64 {
	all := map[string]int64{}
	for event := range of.Events().All() {
		for name, version := range event.Actions.ArtifactDelta {
			all[name] = version
		}
	}
	return all
}

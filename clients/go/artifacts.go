// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"google.golang.org/adk/v2/artifact"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

// firstVersion is the number of a first version in ADK Go, where 0 means the newest version. The service, and with it
// the artifactDelta of stored events, numbers from 0, as all other ADKs do.
const firstVersion = 1

// Artifacts is an [artifact.Service] over HTTP. It is safe for concurrent use by many goroutines.
//
// Its versions begin with 1, as everywhere in ADK Go: version 1 here is version 0 of the service. [Service] converts
// the artifactDelta of events in both directions.
type Artifacts struct{ service *Service }

var _ artifact.Service = (*Artifacts)(nil)

// Artifacts returns the artifact service at the same address and with the same options. From then on, the artifactDelta
// of events in Go has the version numbers of ADK Go. So take it from the session service of the runner, before it is
// used.
func (s *Service) Artifacts() *Artifacts {
	s.artifacts.Store(true)
	return &Artifacts{s}
}

// Save stores bytes or a text as the next version. It creates the session if it does not exist. Like ADK's own
// services, it ignores the version of the request. A retry after a lost response stores nothing twice.
func (a *Artifacts) Save(ctx context.Context, req *artifact.SaveRequest) (*artifact.SaveResponse, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	path := artifactPath(req.AppName, req.UserID, req.SessionID, req.FileName)
	header, body := retryKey(ctx), []byte(req.Part.Text)
	header.Set("Content-Type", "text/plain")
	if data := req.Part.InlineData; data != nil {
		header.Set("Content-Type", cmp.Or(data.MIMEType, "application/octet-stream"))
		body = data.Data
	} else {
		path += "?part=text"
	}
	var saved artifactVersion
	_, err := a.service.call(ctx, req.UserID, "PUT", path, header, body, &saved)
	if errors.Is(err, ErrNotFound) {
		created := &session.CreateRequest{AppName: req.AppName, UserID: req.UserID, SessionID: req.SessionID}
		if _, err := a.service.Create(ctx, created); err != nil && !errors.Is(err, ErrAlreadyExists) {
			return nil, err
		}
		_, err = a.service.call(ctx, req.UserID, "PUT", path, header, body, &saved)
	}
	if err != nil {
		return nil, err
	}
	return &artifact.SaveResponse{Version: saved.Version + firstVersion}, nil
}

// Load returns a version, or the newest one for version 0. The error is [fs.ErrNotExist] if it does not exist.
func (a *Artifacts) Load(ctx context.Context, req *artifact.LoadRequest) (*artifact.LoadResponse, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	path, err := versionPath(artifactPath(req.AppName, req.UserID, req.SessionID, req.FileName), req.Version)
	if err != nil {
		return nil, err
	}
	var content []byte
	header, err := a.service.call(ctx, req.UserID, "GET", path+":content", nil, nil, &content)
	if refused := new(Error); errors.As(err, &refused) && refused.Status == http.StatusBadRequest {
		part := &genai.Part{} // a reference to a file elsewhere, which has no content here
		_, err := a.service.call(ctx, req.UserID, "GET", path, nil, nil, part)
		return &artifact.LoadResponse{Part: part}, absent(err)
	}
	if err != nil {
		return nil, absent(err)
	}
	if header.Get("X-Artifact-Part") == "text" {
		return &artifact.LoadResponse{Part: genai.NewPartFromText(string(content))}, nil
	}
	return &artifact.LoadResponse{Part: genai.NewPartFromBytes(content, header.Get("X-Artifact-Type"))}, nil
}

// Delete deletes a version, or all versions for version 0. It succeeds if there is none.
func (a *Artifacts) Delete(ctx context.Context, req *artifact.DeleteRequest) error {
	if err := req.Validate(); err != nil {
		return err
	}
	path := artifactPath(req.AppName, req.UserID, req.SessionID, req.FileName)
	if req.Version != 0 {
		if req.Version < firstVersion || req.Version > math.MaxInt32 {
			return nil // no artifact has such a version
		}
		path += "/versions/" + strconv.FormatInt(req.Version-firstVersion, 10)
	}
	_, err := a.service.call(ctx, req.UserID, "DELETE", path, nil, nil, nil)
	if errors.Is(absent(err), fs.ErrNotExist) {
		return nil
	}
	return err
}

// List returns the names of the artifacts of the session and of the user, sorted.
func (a *Artifacts) List(ctx context.Context, req *artifact.ListRequest) (*artifact.ListResponse, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	names := []string{}
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID, "artifacts")
	_, err := a.service.call(ctx, req.UserID, "GET", path, nil, nil, &names)
	if errors.Is(err, ErrNotFound) {
		path = pathTo("apps", req.AppName, "users", req.UserID, "artifacts")
		_, err = a.service.call(ctx, req.UserID, "GET", path, nil, nil, &names)
	}
	return &artifact.ListResponse{FileNames: names}, err
}

// Versions returns the numbers of the versions, the oldest first. The error is [fs.ErrNotExist] if there is none.
func (a *Artifacts) Versions(ctx context.Context, req *artifact.VersionsRequest) (*artifact.VersionsResponse, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	var versions []int64
	path := artifactPath(req.AppName, req.UserID, req.SessionID, req.FileName) + "/versions"
	if _, err := a.service.call(ctx, req.UserID, "GET", path, nil, nil, &versions); err != nil {
		return nil, absent(err)
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("artifact not found: %w", fs.ErrNotExist)
	}
	for i := range versions {
		versions[i] += firstVersion
	}
	return &artifact.VersionsResponse{Versions: versions}, nil
}

// artifactVersion is the metadata of a version.
type artifactVersion struct {
	Version                int64
	CanonicalURI, MIMEType string
	CustomMetadata         map[string]any
	CreateTime             float64 // seconds
}

// GetArtifactVersion returns the metadata of a version, or of the newest one for version 0. The error is
// [fs.ErrNotExist] if it does not exist. The number in the canonical URI is the one of the service.
func (a *Artifacts) GetArtifactVersion(
	ctx context.Context, req *artifact.GetArtifactVersionRequest,
) (*artifact.GetArtifactVersionResponse, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	path, err := versionPath(artifactPath(req.AppName, req.UserID, req.SessionID, req.FileName), req.Version)
	if err != nil {
		return nil, err
	}
	var found artifactVersion
	if _, err := a.service.call(ctx, req.UserID, "GET", path+"/metadata", nil, nil, &found); err != nil {
		return nil, absent(err)
	}
	return &artifact.GetArtifactVersionResponse{ArtifactVersion: &artifact.ArtifactVersion{
		Version: found.Version + firstVersion, CanonicalURI: found.CanonicalURI, CustomMetadata: found.CustomMetadata,
		CreateTime: timeOf(found.CreateTime), MimeType: found.MIMEType,
	}}, nil
}

// artifactPath returns the path of an artifact, or "" if a name would change the path. A name that begins with user:
// belongs to the user, also if the session does not exist.
func artifactPath(app, user, sessionID, name string) string {
	owner := pathTo("apps", app, "users", user, "sessions", sessionID)
	if strings.HasPrefix(name, session.KeyPrefixUser) {
		owner = pathTo("apps", app, "users", user)
	}
	if owner == "" || pathTo(name) == "" {
		return ""
	}
	return owner + "/artifacts/" + url.PathEscape(name)
}

// versionPath returns the path of a version of an artifact.
func versionPath(path string, version int64) (string, error) {
	switch {
	case version < firstVersion: // as in ADK's own services
		return path + "/versions/latest", nil
	case version > math.MaxInt32:
		return "", fmt.Errorf("artifact not found: %w", fs.ErrNotExist)
	}
	return path + "/versions/" + strconv.FormatInt(version-firstVersion, 10), nil
}

// absent returns the error that ADK Go has for something that does not exist.
func absent(err error) error {
	if errors.Is(err, ErrNotFound) || errors.Is(err, kind("ARTIFACT_NOT_FOUND")) {
		return fmt.Errorf("artifact not found: %w: %w", fs.ErrNotExist, err)
	}
	return err
}

// stored returns an event with the version numbers of the service.
func (s *Service) stored(event session.Event) session.Event {
	s.renumber(&event, -firstVersion)
	return event
}

// renumber converts the version numbers of an event, if the artifacts are in Agent Sessions.
func (s *Service) renumber(event *session.Event, by int64) {
	if !s.artifacts.Load() {
		return
	}
	event.Actions.ArtifactDelta = maps.Clone(event.Actions.ArtifactDelta)
	for name := range event.Actions.ArtifactDelta {
		event.Actions.ArtifactDelta[name] += by
	}
}

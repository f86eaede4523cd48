package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chartutil"
)

const chartFolder = "../helm/agent-sessions"

const required = "database: {url: 'jdbc:postgresql://db/sessions', existingSecret: database}\n"

func checkValues(t *testing.T, values string) ([]string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(values), 0o600); err != nil {
		t.Fatal(err)
	}
	return check(chartFolder, file)
}

func TestMakesOnlyWhatIsNeededByDefault(t *testing.T) {
	kinds, err := checkValues(t, required)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"ConfigMap", "Deployment", "PodDisruptionBudget", "Service"}; !slices.Equal(kinds, want) {
		t.Errorf("made %v, not %v", kinds, want)
	}
}

func TestProbesAndPrometheusAskAtTheManagementPort(t *testing.T) {
	values, err := chartutil.ReadValuesFile("../check-values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	objects, err := render(chartFolder, values)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(objects, "\n") + "\n"
	if asked := strings.Count(all, "port: management\n"); asked != 5 {
		t.Errorf("three probes, ServiceMonitor and NetworkPolicy name the port, not %d", asked)
	}
	if !strings.Contains(all, "file:/etc/agent-sessions/settings.yml,file:/etc/agent-sessions-keys/keys.yml") {
		t.Error("the file of keys is not imported")
	}
	if !strings.Contains(all, "alert: AgentSessionsDown") {
		t.Error("the alarms are not there")
	}
}

func TestRefusesWhatCannotWork(t *testing.T) {
	for values, reason := range map[string]string{
		"":                                      "database.url is needed",
		required + "unknown: 1":                 "unknown",
		required + "preStopSeconds: 30":         "terminationGracePeriodSeconds",
		required + "managementPort: 8080":       "managementPort",
		required + "ingress: {enabled: true}":   "ingress",
		required + "httpRoute: {enabled: true}": "httpRoute",
		required + "metrics: {enabled: false}\nserviceMonitor: {enabled: true}":   "metrics.enabled",
		required + "extraVolumes: [{name: ca, configMapp: {name: ca}}]":           "configMapp",
		required + "httpRoute: {enabled: true, parentRefs: [{name: g, gate: h}]}": "gate",
		required + "networkPolicy: {enabled: true, from: [{podSelectors: {}}]}":   "podSelectors",
	} {
		_, err := checkValues(t, values)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v does not name %s", values, err, reason)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chartutil"
	"sigs.k8s.io/yaml"
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
	if want := []string{"ConfigMap", "Deployment", "Job", "PodDisruptionBudget", "Service"}; !slices.Equal(kinds, want) {
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

// rendered returns the objects of a file of values, by their kinds.
func rendered(t *testing.T, values string) map[string]map[string]any {
	t.Helper()
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(values), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := chartutil.ReadValuesFile(file)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := render(chartFolder, read)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]any{}
	for _, object := range objects {
		var fields map[string]any
		if err := yaml.Unmarshal([]byte(object), &fields); err != nil {
			t.Fatal(err)
		}
		found[fields["kind"].(string)] = fields
	}
	return found
}

// at returns the value at a path, in the first element of a list.
func at(t *testing.T, value any, path ...string) any {
	t.Helper()
	for _, name := range path {
		if list, ok := value.([]any); ok {
			value = list[0]
		}
		value = value.(map[string]any)[name]
	}
	return value
}

func variable(t *testing.T, object map[string]any, name string) any {
	t.Helper()
	for _, one := range at(t, object, "spec", "template", "spec", "containers", "env").([]any) {
		if at(t, one, "name") == name {
			return one
		}
	}
	return nil
}

func TestMigratesInAJobUnderItsOwnRole(t *testing.T) {
	objects := rendered(t, required+"migration: {existingSecret: owner}\nconfig: {server: {port: 8080}}")
	job, replicas := objects["Job"], objects["Deployment"]
	for object, secret := range map[string]string{"Job": "owner", "Deployment": "database"} {
		user := variable(t, objects[object], "SPRING_DATASOURCE_USERNAME")
		if name := at(t, user, "valueFrom", "secretKeyRef", "name"); name != secret {
			t.Errorf("%s has the user of the secret %v", object, name)
		}
	}
	if variable(t, job, "SPRING_FLYWAY_ENABLED") != nil || variable(t, replicas, "SPRING_FLYWAY_ENABLED") == nil {
		t.Error("not only the job migrates")
	}
	if settings := at(t, variable(t, job, "SPRING_APPLICATION_JSON"), "value"); settings != `{"server":{"port":8080}}` {
		t.Errorf("the job has the settings %v", settings)
	}
	labels := at(t, job, "spec", "template", "metadata", "labels").(map[string]any)
	for name, value := range at(t, objects["Service"], "spec", "selector").(map[string]any) {
		if labels[name] != value {
			return
		}
	}
	t.Error("the service sends requests to the job")
}

func TestAReplicaThatMigratesMayTakeHours(t *testing.T) {
	objects := rendered(t, required+"migration: {enabled: false}")
	if objects["Job"] != nil || variable(t, objects["Deployment"], "SPRING_FLYWAY_ENABLED") != nil {
		t.Error("the replicas do not migrate")
	}
	probe := at(t, objects["Deployment"], "spec", "template", "spec", "containers", "startupProbe").(map[string]any)
	if seconds := probe["periodSeconds"].(float64) * probe["failureThreshold"].(float64); seconds < 12*3600 {
		t.Errorf("a start may take %v s", seconds)
	}
}

func TestLimitsWhatReplicasCall(t *testing.T) {
	policy := rendered(t, required+"networkPolicy: {enabled: true, egress: [{ports: [{port: 5432}]}]}")["NetworkPolicy"]
	if types := at(t, policy, "spec", "policyTypes").([]any); len(types) != 2 || types[1] != "Egress" {
		t.Errorf("the policy is for %v", types)
	}
	var ports []any
	for _, rule := range at(t, policy, "spec", "egress").([]any) {
		for _, port := range at(t, rule, "ports").([]any) {
			ports = append(ports, at(t, port, "port"))
		}
	}
	if !slices.Equal(ports, []any{53.0, 53.0, 5432.0}) {
		t.Errorf("replicas may call the ports %v", ports)
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
		required + "networkPolicy: {enabled: true, egress: [{port: 5432}]}":       "port",
		required + "migration: {enabled: true, secret: owner}":                    "secret",
	} {
		_, err := checkValues(t, values)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v does not name %s", values, err, reason)
		}
	}
}

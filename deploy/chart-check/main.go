// Command chart-check renders the Helm chart as helm does and compares the output with the types of Kubernetes, the
// Gateway API and Prometheus' operator: an unknown kind or field, or a value of a wrong type, is an error.
//
//	chart-check CHART VALUES...
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"helm.sh/helm/v3/pkg/releaseutil"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
)

// oldest is the oldest version of Kubernetes that the chart supports.
const oldest = "v1.25.0"

func main() {
	if len(os.Args) < 3 {
		fmt.Println("usage: chart-check CHART VALUES...")
		os.Exit(2)
	}
	failed := false
	for _, values := range os.Args[2:] {
		kinds, err := check(os.Args[1], values)
		if err != nil {
			fmt.Printf("%s: %v\n", values, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %s\n", values, strings.Join(kinds, ", "))
	}
	if failed {
		os.Exit(1)
	}
}

// check returns the kinds of the objects that the chart creates from a file of values.
func check(folder, file string) ([]string, error) {
	values, err := chartutil.ReadValuesFile(file)
	if err != nil {
		return nil, err
	}
	for _, message := range lint.All(folder, values, "default", true).Messages {
		if message.Severity > support.InfoSev {
			return nil, message
		}
	}
	objects, err := render(folder, values)
	if err != nil {
		return nil, err
	}
	return kinds(objects)
}

func render(folder string, values chartutil.Values) ([]string, error) {
	loaded, err := loader.Load(folder)
	if err != nil {
		return nil, err
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = chartutil.KubeVersion{Version: oldest, Major: "1", Minor: "25"}
	release := chartutil.ReleaseOptions{Name: "sessions", Namespace: "default", IsInstall: true}
	all, err := chartutil.ToRenderValues(loaded, values, release, capabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(loaded, all)
	if err != nil {
		return nil, err
	}
	var objects []string
	for name, text := range files {
		if strings.HasSuffix(name, ".yaml") {
			for _, object := range releaseutil.SplitManifests(text) {
				objects = append(objects, object)
			}
		}
	}
	return objects, nil
}

func kinds(objects []string) ([]string, error) {
	decoder := strictDecoder()
	var found []string
	for _, object := range objects {
		_, kind, err := decoder.Decode([]byte(object), nil, nil)
		if err != nil {
			return nil, fmt.Errorf("%w in\n%s", err, object)
		}
		found = append(found, kind.Kind)
	}
	sort.Strings(found)
	return found, nil
}

func strictDecoder() runtime.Decoder {
	utilruntime.Must(monitoring.AddToScheme(scheme.Scheme))
	utilruntime.Must(gateway.Install(scheme.Scheme))
	return serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
}

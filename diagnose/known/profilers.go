package known

// profilers are packages that take profiles inside the process, and functions with which a program labels its work.
func profilers() []Row {
	return []Row{
		{Functions: []string{"github.com/grafana/pyroscope-go.", "github.com/grafana/pyroscope-go/",
			"github.com/pyroscope-io/client/", "gopkg.in/DataDog/dd-trace-go.v1/profiler.",
			"gopkg.in/DataDog/dd-trace-go.v1/profiler/",
			"github.com/DataDog/dd-trace-go/v2/profiler.", "github.com/DataDog/dd-trace-go/v2/profiler/",
			"cloud.google.com/go/profiler.", "cloud.google.com/go/profiler/"}, Roles: Profiles},
		{Functions: []string{"net/http/pprof.", "runtime/pprof.", "runtime.goroutineProfile*", "runtime.sigprof*",
			"github.com/felixge/fgprof."}, Roles: Profiles},
		// They run the caller's function below them.
		{Functions: []string{"runtime/pprof.Do", "runtime/pprof.SetGoroutineLabels", "runtime/pprof.WithLabels",
			"runtime/pprof.Labels", "runtime/pprof.Label", "runtime/pprof.ForLabels",
			"github.com/grafana/pyroscope-go.TagWrapper", "github.com/pyroscope-io/client/pyroscope.TagWrapper"},
			Roles: WrapsWork},
	}
}

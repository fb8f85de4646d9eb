package setup

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
	"text/template"
)

// cpuParameter is that of servePprof in a program that watches itself.
const cpuParameter = "cpu http.Handler"

// pprofServer is the new file of a program that serves no profiles. cpu is the parameter of its function, if it has
// one.
func (p *Program) pprofServer(port int, cpu string) addition {
	text, line := pprofFile, "go servePprof()"
	plain := p.defaultMux != nil && !p.muxHasProfiles() // importing net/http/pprof would serve profiles there, too
	if plain {
		text = plainFile
	}
	text = strings.ReplaceAll(text, "6060", fmt.Sprint(port))
	if cpu != "" {
		text, line = strings.Replace(text, "func servePprof()", "func servePprof("+cpu+")", 1), ""
		text = strings.NewReplacer(
			`HandleFunc("/debug/pprof/profile", pprof.Profile)`, `Handle("/debug/pprof/profile", cpu)`,
			`HandleFunc("/debug/pprof/profile", record(pprof.StartCPUProfile, pprof.StopCPUProfile))`,
			`Handle("/debug/pprof/profile", cpu)`).Replace(text)
	}
	declares := []string{"servePprof"}
	if plain {
		declares = append(declares, "record", "serveProfile")
	}
	return addition{"casebook_pprof.go", text, line, declares}
}

// pprofFile is the new file of a program that shall be watched from outside.
const pprofFile = `package main

import (
	"log"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
)

// servePprof serves profiles to casebook and go tool pprof, on this machine alone unless PPROF_ADDR says otherwise. It
// also has waits recorded: one mutex wait of a hundred, and what blocks for a millisecond or longer.
func servePprof() {
	runtime.SetMutexProfileFraction(100)
	runtime.SetBlockProfileRate(1000000)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	addr := os.Getenv("PPROF_ADDR")
	if addr == "" {
		addr = "127.0.0.1:6060"
	}
	if err := http.ListenAndServe(addr, mux); err != nil {
		log.Print("no profiles are served: ", err) // the service runs without them
	}
}
`

// plainFile is pprofFile for a program that serves http.DefaultServeMux to others.
const plainFile = `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"strings"
	"time"
)

// servePprof serves profiles to casebook and go tool pprof, on this machine alone unless PPROF_ADDR says otherwise. It
// also has waits recorded: one mutex wait of a hundred, and what blocks for a millisecond or longer.
//
// It does not import net/http/pprof: that would serve them at http.DefaultServeMux, too, which this program serves.
func servePprof() {
	runtime.SetMutexProfileFraction(100)
	runtime.SetBlockProfileRate(1000000)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", serveProfile)
	mux.HandleFunc("/debug/pprof/cmdline", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Join(os.Args, "\x00"))
	})
	mux.HandleFunc("/debug/pprof/profile", record(pprof.StartCPUProfile, pprof.StopCPUProfile))
	mux.HandleFunc("/debug/pprof/trace", record(trace.Start, trace.Stop))
	addr := os.Getenv("PPROF_ADDR")
	if addr == "" {
		addr = "127.0.0.1:6060"
	}
	if err := http.ListenAndServe(addr, mux); err != nil {
		log.Print("no profiles are served: ", err) // the service runs without them
	}
}

// serveProfile serves a profile by its name, or the list of them.
func serveProfile(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/debug/pprof/")
	if name == "" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for _, p := range pprof.Profiles() {
			fmt.Fprintf(w, "%d <a href=%q>%s</a><br>\n", p.Count(), p.Name()+"?debug=1", p.Name())
		}
		return
	}
	p := pprof.Lookup(name)
	if p == nil {
		http.Error(w, "unknown profile", http.StatusNotFound)
		return
	}
	if name == "heap" && r.FormValue("gc") != "" {
		runtime.GC()
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	debug, _ := strconv.Atoi(r.FormValue("debug"))
	if debug > 0 {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	_ = p.WriteTo(w, debug)
}

// record serves what is recorded for as many seconds as are asked for: 30 at most, 10 if none are.
func record(start func(io.Writer) error, stop func()) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		seconds, err := strconv.ParseFloat(r.FormValue("seconds"), 64)
		if err != nil || seconds <= 0 {
			seconds = 10
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if err := start(w); err != nil {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer stop()
		select {
		case <-time.After(time.Duration(seconds * float64(time.Second))):
		case <-r.Context().Done():
		}
	}
}
`

// A watchFile is the new file of a program that shall watch itself.
type watchFile struct {
	Service string
	Web     bool // its requests are measured
	Own     bool // servePprof serves profiles
	Mux     bool // the program serves http.DefaultServeMux, with profiles
	Apart   bool // and with the service's own handlers
}

// Takes reports whether something takes the CPU profiles of the watch.
func (f watchFile) Takes() bool { return !f.Own }

func (f watchFile) declares() (names []string) {
	names = append(names, "startCasebook")
	for name, is := range map[string]bool{"requests": f.Web, "cpuProfile": f.Takes(), "profiles": f.Mux,
		"apart": f.Apart} {
		if is {
			names = append(names, name)
		}
	}
	return names
}

func (f watchFile) source() (string, error) {
	var b bytes.Buffer
	if err := insideFile.Execute(&b, f); err != nil {
		return "", err
	}
	text, err := format.Source(b.Bytes())
	return string(text), err
}

var insideFile = template.Must(template.New("inside").Parse(`package main

import (
	"cmp"
	"context"
	"log"
	"net/http"
	{{- if .Takes}}
	"net/http/pprof"
	{{- end}}
	"os"
	{{- if .Apart}}
	"strings"
	{{- end}}

	"github.com/gocasebook/casebook"
	{{- if .Web}}
	"github.com/gocasebook/casebook/middleware"
	"github.com/gocasebook/casebook/vitals"
	{{- end}}
)
{{if .Web}}
// requests measures the requests of the handlers that it wraps.
var requests = middleware.New()
{{end}}
{{- if .Takes}}
// cpuProfile answers /debug/pprof/profile: a process has one CPU profiler, and the watch has it.
var cpuProfile http.Handler = http.HandlerFunc(pprof.Profile)
{{end}}
{{- if .Mux}}
// profiles is a handler that serves net/http/pprof, with the CPU profiles of the watch.
func profiles(h http.Handler) http.Handler {
	if h == nil {
		h = http.DefaultServeMux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/debug/pprof/profile" {
			cpuProfile.ServeHTTP(w, r)
			return
		}
		h.ServeHTTP(w, r)
	})
}
{{end}}
{{- if .Apart}}
// apart measures requests, and not those for profiles, which take as long as they are asked to.
func apart(h http.Handler) http.Handler {
	measured, profiles := requests.Handler(h), profiles(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/debug/pprof/") {
			profiles.ServeHTTP(w, r)
			return
		}
		measured.ServeHTTP(w, r)
	})
}
{{end}}
// startCasebook watches this process until stop is called. Cases go into CASEBOOK_DIR, which should outlive the process.
func startCasebook() (stop func()) {
	watch, err := casebook.New(casebook.Config{
		Service: {{printf "%q" .Service}},
		Dir:     cmp.Or(os.Getenv("CASEBOOK_DIR"), casebook.DefaultDir),
		{{- if .Web}}
		Sources: []vitals.Source{requests.Source()},
		{{- end}}
	})
	if err != nil {
		log.Print("casebook: ", err) // the service runs unwatched
		{{- if .Own}}
		go servePprof(http.NotFoundHandler())
		{{- end}}
		return func() {}
	}
	{{- if .Own}}
	go servePprof(watch.ProfileHandler())
	{{- else}}
	cpuProfile = watch.ProfileHandler()
	{{- end}}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := watch.Run(ctx); err != nil {
			log.Print("casebook: ", err) // the service runs unwatched
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}
`))

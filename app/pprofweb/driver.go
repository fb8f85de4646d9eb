package pprofweb

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"path"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// draw makes a page of a profile.
func draw(data []byte, q asked) ([]byte, error) {
	proto, needed, err := stacks.Unpacked("the profile", data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if needed > q.Most {
		return nil, fmt.Errorf("%w: it would take %d MiB of memory, and %d are given to it; download it", ErrTooLarge,
			needed>>20, q.Most>>20)
	}
	p, err := profile.ParseUncompressed(proto)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	confine(p)
	all, err := handlers(p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	// They have the profile as bytes and parse them for their answer. Of this one they read the sample types.
	p.Sample, p.Location, p.Function, p.Mapping = nil, nil, nil, nil
	return pageOf(all["/"+q.Page], q)
}

// confine takes out of a profile what pprof would look for on this machine, and a link to anywhere.
func confine(p *profile.Profile) {
	p.DocURL = ""
	for _, m := range p.Mapping {
		m.BuildID, m.KernelRelocationSymbol = "", ""
		if m.File != "" {
			m.File = path.Base(m.File)
		}
	}
}

// handlers are those of the web interface, by path.
func handlers(p *profile.Profile) (out map[string]http.Handler, err error) {
	err = driver.PProf(&driver.Options{
		Flagset: flags{flag.NewFlagSet("pprof", flag.ContinueOnError)},
		Fetch:   loaded{p}, Sym: nothing{}, Obj: nothing{}, Writer: noFiles{}, HTTPTransport: nothing{}, UI: silence{},
		HTTPServer: func(args *driver.HTTPServerArgs) error {
			out = args.Handlers
			return nil
		},
	})
	return out, err
}

// flags are a command line of pprof. Nothing comes from the command line of this process.
type flags struct{ *flag.FlagSet }

func (flags) ExtraUsage() string   { return "" }
func (flags) AddExtraUsage(string) {}
func (f flags) StringList(name, value, usage string) *[]*string {
	return &[]*string{f.String(name, value, usage)}
}

// Parse returns one source, which loaded gives. The address is never listened on.
func (f flags) Parse(func()) []string {
	f.SetOutput(io.Discard)
	if err := f.FlagSet.Parse([]string{"-http=localhost:0", "-no_browser", "-symbolize=none", "profile"}); err != nil {
		return nil
	}
	return f.Args()
}

// loaded is a driver.Fetcher that has the profile. With an empty source pprof takes it for a local one, and saves no
// copy.
type loaded struct{ p *profile.Profile }

func (l loaded) Fetch(string, time.Duration, time.Duration) (*profile.Profile, string, error) {
	return l.p, "", nil
}

var errNothing = errors.New("this server opens nothing for pprof")

// nothing is all of the driver's plugins that would reach for something outside.
type nothing struct{}

func (nothing) Symbolize(string, driver.MappingSources, *profile.Profile) error { return nil }

func (nothing) Open(string, uint64, uint64, uint64, string) (driver.ObjFile, error) {
	return nil, errNothing
}

func (nothing) Disasm(string, uint64, uint64, bool) ([]driver.Inst, error) { return nil, errNothing }

func (nothing) RoundTrip(*http.Request) (*http.Response, error) { return nil, errNothing }

// noFiles is a driver.Writer, whose method has the name of another of nothing's.
type noFiles struct{}

func (noFiles) Open(string) (io.WriteCloser, error) { return nil, errNothing }

// silence is a driver.UI that nobody sees. What is wrong with a request is in its answer, too.
type silence struct{}

func (silence) ReadLine(string) (string, error)     { return "", io.EOF }
func (silence) Print(...any)                        {}
func (silence) PrintErr(...any)                     {}
func (silence) IsTerminal() bool                    { return false }
func (silence) WantBrowser() bool                   { return false }
func (silence) SetAutoComplete(func(string) string) {}

package anonymize

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// stdList are the packages of the standard library of Go 1.25 and 1.26, and those that earlier releases had. A first
// element that looks like the library's ("log/…") is not enough: anybody's module may have that name.
//
//go:embed std.txt
var stdList string

var stdPackages = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool)
	for _, pkg := range strings.Fields(stdList) {
		set[pkg] = true
	}
	return set
})

func isStd(pkg string) bool { return stdPackages()[pkg] }

// symbols are functions without a package that Go's assembly, the race detector, cgo and Linux bring, as far as
// detectors know them.
var symbols = regexp.MustCompile(`^(gogo|callRet|gosave_systemstack_switch|setg_gcc|crosscall[12]?|` +
	`_rt0_[a-z0-9]+_[a-z]+|(un)?spillArgs|` +
	`(aes|mem)hash(body|32|64)?|aeshash(32|64|str|body)|memeqbody|cmpbody|countbody|indexbody|indexbytebody|` +
	`gcWriteBarrier[A-Z0-9]*|wbZero|wbMove|` +
	`entry_SYSCALL_(64|compat)[a-z_]*|do_syscall_64|asm_(sysvec|exc)_[a-z_]+|asm_common_interrupt|` +
	`el[01][th]_64_[a-z]+|el0_svc[a-z_]*)$`)

// partForms are parts of a function's name that the compiler writes: of function literals, wrappers, initialisers.
var partForms = regexp.MustCompile(`^(func[0-9]{1,4}|gowrap[0-9]{1,4}|deferwrap[0-9]{1,4}|range[0-9]{1,4}|` +
	`[0-9]{1,4}|fm|init|glob|abi0|abiinternal)$`)

// methods are those of the standard library's interfaces, which are its names and not the program's.
var methods = []string{"ServeHTTP", "RoundTrip", "Read", "Write", "Close", "ReadFrom", "WriteTo", "ReadAt",
	"WriteAt", "Seek", "Error", "String", "Len", "Less",
	"Swap", "Push", "Pop", "Lock", "Unlock", "RLock", "RUnlock", "MarshalJSON", "UnmarshalJSON", "MarshalText",
	"UnmarshalText", "Scan", "Value", "Format"}

// folders are elements of paths that say how code is laid out. These and "@v" say whose code it is.
var folders = []string{"internal", "vendor", "external", "pkg", "cmd", "mod", "src", "go", "usr", "local", "home",
	"root"}

var majorVersion = regexp.MustCompile(`^v[0-9]{1,2}$`)

// extensions are the extensions of source files: they say which language.
var extensions = []string{".go", ".s", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".java", ".kt", ".scala", ".py",
	".js", ".ts", ".rb", ".rs", ".cs", ".php"}

// casebookModule is ours: its capture's own samples are recognised by its name, and the packages that services import
// are no secret.
const casebookModule = "github.com/gocasebook/casebook"

// below reports whether a package is the one of a path, or below it.
func below(pkg, path string) bool { return pkg == path || strings.HasPrefix(pkg, path+"/") }

func isCasebook(pkg string) bool {
	return below(pkg, casebookModule) && !below(pkg, casebookModule+"/app") && !strings.Contains(pkg, "/testdata/")
}

// observers are profilers that run in the process: under another name their work would be taken for the program's.
var observers = []string{"github.com/felixge/fgprof", "github.com/grafana/pyroscope-go",
	"github.com/pyroscope-io/client",
	"gopkg.in/DataDog/dd-trace-go.v1/profiler", "github.com/DataDog/dd-trace-go/v2/profiler",
	"cloud.google.com/go/profiler"}

// stays reports whether a package's names stay.
func (n *names) stays(pkg string) bool {
	is := func(path string) bool { return below(pkg, path) }
	return isStd(pkg) || isCasebook(pkg) || slices.ContainsFunc(observers, is) || slices.ContainsFunc(n.keep, is)
}

package known

// algorithms are the functions whose cost depends on how often, and on how much, they are asked.
func algorithms() []Row {
	return []Row{
		{Work: Sorts, Functions: []string{"sort.", "slices.Sort*", "slices.pdqsort*", "slices.insertionSort*",
			"slices.stable*", "slices.heapSort*"},
			Except: []string{"sort.Search*", "sort.IsSorted", "sort.SliceIsSorted", "slices.SortedKeys"}},
		{Work: Compares, Functions: []string{"cmp.", "strings.Compare", "bytes.Compare", "bytes.Equal", "slices.Compare*",
			"internal/bytealg.", "time.Time.Before", "time.Time.After", "time.Time.Compare", "time.Time.Equal",
			"net/netip.Addr.Compare", "net/netip.Addr.Less", "math/big.(*Int).Cmp*", "sync/atomic."}},
		{Work: Searches, Functions: []string{"slices.Index*", "slices.Contains*", "strings.Contains*", "strings.Index*",
			"strings.EqualFold", "strings.Count", "bytes.Contains*", "bytes.Index*", "bytes.Equal*", "bytes.Count",
			"github.com/samber/lo.Contains*", "github.com/samber/lo.Find", "github.com/samber/lo.FindOrElse",
			"github.com/samber/lo.FindIndexOf", "github.com/samber/lo.IndexOf", "golang.org/x/exp/slices.Index*",
			"golang.org/x/exp/slices.Contains*"},
			Except: []string{"strings.IndexByte", "bytes.IndexByte", "strings.IndexRune"}},
		{Work: FoldsCase, Functions: []string{"strings.ToLower", "strings.ToUpper", "strings.ToTitle", "bytes.ToLower",
			"bytes.ToUpper", "strings.EqualFold", "bytes.EqualFold", "golang.org/x/text/cases.", "strings.Map",
			"golang.org/x/text/unicode/norm.", "golang.org/x/text/secure/precis."}},
		{Work: Reflects, Functions: []string{"reflect.", "internal/reflectlite.", "github.com/mitchellh/mapstructure.",
			"github.com/go-viper/mapstructure", "github.com/jinzhu/copier.", "github.com/mohae/deepcopy.",
			"dario.cat/mergo.", "github.com/imdario/mergo.", "github.com/google/go-cmp/cmp."}},
		{Work: CopiesValues, Functions: []string{"github.com/mohae/deepcopy.", "github.com/jinzhu/copier.",
			"github.com/barkimedes/go-deepcopy.", "github.com/brunoga/deep", "github.com/mitchellh/copystructure.",
			"github.com/tiendc/go-deepcopy.", "github.com/huandu/go-clone", "github.com/ulule/deepcopier.",
			"github.com/getlantern/deepcopy.", "github.com/antlabs/pcopy", "github.com/qdm12/reprint.",
			"github.com/changkun/cc"}},
		{Work: CallsIntoC, Functions: []string{"runtime.cgocall", "runtime.cgocallback*"}},
		{Work: ReadsClock, Functions: []string{"time.Now", "time.Since", "time.Until"}},
		{Work: Yields, Functions: []string{"runtime.Gosched"}},
		{Work: Atomics, Functions: []string{"sync/atomic.", "internal/runtime/atomic.", "runtime/internal/atomic."}},
		{Work: Synchronises, Functions: []string{"sync.(*", "internal/sync.(*"}},
		{Work: Selects, Functions: []string{"runtime.selectgo"}},
		// what selectgo calls when a case is ready, and when none is and it waits
		{Work: MovesMessage, Functions: []string{"runtime.typedmemmove", "runtime.typedmemclr", "runtime.recv",
			"runtime.send", "runtime.goready", "runtime.acquireSudog", "runtime.releaseSudog", "runtime.gopark",
			"runtime.(*waitq).enqueue", "runtime.(*waitq).dequeueSudoG"}},
		{Work: PassesOn, Functions: []string{"io.", "bufio.", "sync.", "iter.", "slices.", "maps.", "encoding/csv.",
			"text/tabwriter."}},
	}
}

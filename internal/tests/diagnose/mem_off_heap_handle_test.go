package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestHandlesOutside: memory outside of the heap that a library takes is given back by closing what the user's line got
// of it; a program with C of its own is told to free, and a library that gets all back is not blamed.
func TestHandlesOutside(t *testing.T) {
	const (
		serve = " main.serve:9 net/http.(*conn).serve"
		rocks = "github.com/x/rocks."
		duck  = "github.com/y/duck."
		image = "github.com/z/image."
		c     = "runtime.cgocall "
	)
	for _, tt := range []struct {
		name        string
		of          []heapLine
		line        string
		cure, never string
	}{
		{"iterators of a store", []heapLine{
			{c + rocks + "_Cfunc_seek " + rocks + "(*Iterator).Seek main.list:31" + serve, 5000, 5000 * 112, 5100},
			{rocks + "(*DB).NewIterator main.list:30" + serve, 0, 1 << 20, 9000},
			{rocks + "(*DB).Put main.put:12" + serve, 0, 1 << 20, 9000}}, "main.list", "*Iterator", "C.free"},
		{"results of a database", []heapLine{
			{c + duck + "_Cfunc_query " + duck + "(*Conn).Query main.report:44" + serve, 4000, 4000 * 200, 4000},
			{duck + "(*Conn).Exec main.save:12" + serve, 0, 1 << 20, 9000}}, "main.report", "what (*Conn).Query returned",
			"C.free"},
		{"images", []heapLine{{c + image + "_Cfunc_load " + image + "Load main.thumb:20" + serve, 9000, 9000 * 64, 9000}},
			"main.thumb", "what Load returned", "C.free"},
		{"C of its own", []heapLine{{c + "main._Cfunc_CString main.tokens:20" + serve, 9000, 9000 * 64, 9000}},
			"main.tokens", "C.free", "returned"},
		{"a library that gets all back", []heapLine{{rocks + "(*DB).Get main.get:20" + serve, 100, 6400, 900_000}}, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := noon.Add(20 * time.Second)
			rep := diagnose.Run(t.Context(), diagnose.Input{
				Triggers: []casefile.Trigger{{Rule: "a rule", Time: at, Signal: vitals.OffHeap.String()}},
				Evidence: []diagnose.Evidence{
					history(t, at, map[vitals.ID]func(int) float64{
						vitals.OffHeap: func(i int) float64 { return 200*mib + float64(i)*4*mib },
						vitals.RSS:     func(i int) float64 { return 240*mib + float64(i)*4*mib }}),
					{Name: "heap.pb.gz", Kind: casefile.Heap, Taken: at, Data: liveHeap(t, tt.of...)}}}, diagnose.Options{})
			if tt.line == "" {
				if len(rep.Findings) > 0 && len(rep.Findings[0].Where) > 0 && rep.Findings[0].Where[0].Function != "" &&
					rep.Findings[0].Where[0].Line > 0 {
					t.Errorf("found %v at %+v, want no line", kinds(rep.Findings), rep.Findings[0].Where[0])
				}
				return
			}
			if len(rep.Findings) == 0 || rep.Findings[0].Kind != "mem-off-heap" {
				t.Fatalf("found %v, want mem-off-heap", kinds(rep.Findings))
			}
			f := rep.Findings[0]
			cure := f.Remedies[0].Title + " " + f.Remedies[0].Text
			if f.Where[0].Function != tt.line || !strings.Contains(cure, tt.cure) || strings.Contains(cure, tt.never) {
				t.Errorf("at %s: %q, want %q at %s", f.Where[0].Function, cure, tt.cure, tt.line)
			}
		})
	}
}

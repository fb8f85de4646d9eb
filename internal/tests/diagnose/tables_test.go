package diagnose_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// lab/modules/tables.json has, for detectors that were made of one example, five programs or more that they must speak
// on and five that they must not, over libraries of other hands. It was written before the detectors saw any of them.

// A tableCase is a row of it.
type tableCase struct {
	moduleCase
	Detector string   `json:"detector"` // its file, without .go
	Also     []string `json:"also"`     // kinds that are true, too
	Silent   []string `json:"silent"`   // kinds that must not be reported
	Places   []string `json:"places"`   // ends of the functions at one of which a tolerated finding must be
	Wrong    string   `json:"wrong"`    // why what is said is not right; "": it is
}

func tableCases(t *testing.T) (out []tableCase) {
	t.Helper()
	checkout.Need(t)
	b, err := os.ReadFile("../../../lab/modules/tables.json")
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTables prints how many rows of each detector are right; it fails where a row is no longer as it says of itself.
func TestTables(t *testing.T) {
	for _, detector := range []string{"overload", "chan_handler", "cost_round_trip", "syscall_lock", "gomaxprocs"} {
		t.Run(detector, func(t *testing.T) { judgeTable(t, detector) })
	}
}

func judgeTable(t *testing.T, detector string) {
	var rows, right [2]int // of those to speak on, and those not to
	for _, c := range tableCases(t) {
		if c.Detector != detector {
			continue
		}
		of := 0
		if c.Healthy {
			of = 1
		}
		rows[of]++
		rep := judged(t, "tables/"+c.Name)
		if len(rep.Failed) > 0 {
			t.Errorf("%s: detectors failed: %v", c.Name, rep.Failed)
		}
		why := c.why(rep.Findings)
		switch {
		case why == "" && c.Wrong != "":
			t.Errorf("%s is right by now, and its row says that it is not: %s", c.Name, c.Wrong)
		case why != "" && c.Wrong == "":
			t.Errorf("%s: %s", c.Name, why)
		case why == "":
			right[of]++
		}
	}
	if rows[0] < 5 || rows[1] < 5 {
		t.Errorf("%d programs to speak on and %d not to, want five or more of each", rows[0], rows[1])
	}
	t.Logf("right: %d of %d to speak on, %d of %d not to", right[0], rows[0], right[1], rows[1])
}

// why is what is wrong with what is said about a row's program; "" if it is right.
func (c tableCase) why(fs []casefile.Finding) string {
	if !c.Healthy {
		if why := c.notBlamed(c.notBeside(fs)); why != "" {
			return why
		}
	}
	for _, f := range fs {
		switch {
		case slices.Contains(c.Silent, f.Kind):
			return fmt.Sprintf("%s %d is said: %s", f.Kind, f.Score, f.Title)
		case !c.Healthy:
		case !slices.Contains(c.Tolerated, f.Kind) && f.Score > capNotice:
			return fmt.Sprintf("a false alarm, %s %d: %s", f.Kind, f.Score, f.Title)
		case f.Kind == c.kindOfPlaces() && !c.inPlaces(f):
			return fmt.Sprintf("%s is said to be at %v, want %v first", f.Kind, f.Where, c.Places)
		}
	}
	return ""
}

// notBeside leaves out what is true beside the fault: a waste may come before it.
func (c tableCase) notBeside(fs []casefile.Finding) (out []casefile.Finding) {
	for _, f := range fs {
		if !slices.Contains(c.Also, f.Kind) || slices.Contains(c.Kinds, f.Kind) {
			out = append(out, f)
		}
	}
	return out
}

// kindOfPlaces is the finding whose place is judged: the first that is tolerated.
func (c tableCase) kindOfPlaces() string {
	if len(c.Places) == 0 {
		return ""
	}
	return c.Tolerated[0]
}

func (c tableCase) inPlaces(f casefile.Finding) bool {
	return len(f.Where) > 0 && slices.ContainsFunc(c.Places, func(end string) bool {
		return strings.HasSuffix(f.Where[0].Function, end)
	})
}

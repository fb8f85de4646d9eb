package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/checkout"
)

// TestUntimed: given as loose files, text has no time, and no finding may count from the year 1.
func TestUntimed(t *testing.T) {
	const beginning = "106,75" // days, as seconds writes the longest time.Duration
	if got := seconds(time.Duration(1<<63 - 1).Seconds()); !strings.HasPrefix(got, beginning) {
		t.Fatalf("the longest time is %q", got)
	}
	for _, dirs := range []string{"holdout2", "holdout3", "real", "trial", "startup_only", "lock_held_io"} {
		names, err := checkout.Evidence(t).Cases(dirs + "/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			in := loadCase(t, name)
			for i := range in.Evidence {
				in.Evidence[i].Taken = time.Time{}
			}
			for _, f := range Run(t.Context(), in, Options{}).Findings {
				if text := fmt.Sprintf("%+v", f); strings.Contains(text, beginning) {
					t.Errorf("%s: %s", name, text)
				}
			}
		}
	}
}

package diagnose_test

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestVerdictOfManualCase: what a person asked for in a healthy process has no verdict.
func TestVerdictOfManualCase(t *testing.T) {
	in := loadCase(t, "foreign/caddy-healthy")
	in.Triggers = []casefile.Trigger{{Rule: "manual", Text: "a look"}}
	if v := diagnose.Run(t.Context(), in, diagnose.Options{}).Verdict; v != nil {
		t.Errorf("the verdict of a healthy process is %+v", v)
	}
}

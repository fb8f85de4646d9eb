package recorder_test

import (
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
)

// What the package does not export, and promises by its files or limits.
const (
	maxBytes = 8 << 20
	maxKeep  = 60
	maxSpans = 4
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "casebook/internal/recorder.")) }

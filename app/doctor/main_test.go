package doctor_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/victimtest"
)

var victim string // path of the built program; set once, before any test

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "casebook-doctor")
	if err == nil {
		defer os.RemoveAll(dir)
		victim, err = victimtest.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return m.Run()
}

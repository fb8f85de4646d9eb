package terminal_test

import (
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "app/terminal.(*Busy)")) }

package gctune

import (
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) {
	beChild()
	os.Exit(leaktest.Check(m.Run(), "casebook/remedy/gctune."))
}

package holmes

import (
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(beChild(dir))
	}
	os.Exit(leaktest.Check(m.Run(), "github.com/gocasebook/"))
}

package hedge

import (
	"os"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "casebook/remedy/hedge.")) }

func newPolicy(t testing.TB, cfg Config) *Policy {
	t.Helper()
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

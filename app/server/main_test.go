package server

import (
	"fmt"
	"net"
	"os"
	"testing"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/app/pprofweb"
	_ "github.com/gocasebook/casebook/app/store/drivers"
	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/internal/victimtest"
)

var victim string // the program that is watched

func TestMain(m *testing.M) {
	pprofweb.As(os.Args[1:]) // as casebook does
	code := leaktest.Check(runTests(m), "app/server.", "app/store.", "app/fleet.")
	if err := stopPostgres(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "casebook-server-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if victim, err = victimtest.Build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer browsertest.End()
	return m.Run()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

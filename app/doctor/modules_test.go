package doctor_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/doctor"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// sentry has what a row knows of github.com/getsentry/sentry-go before v0.31.0: its worker stays.
const sentry = "package sentry\n\ntype HTTPTransport struct{}\n\nfunc (t *HTTPTransport) worker() { select {} }\n\n" +
	"func New() { go new(HTTPTransport).worker() }\n"

const service = `package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"

	"github.com/getsentry/sentry-go"
)

func main() {
	sentry.New()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s\n", l.Addr())
	go http.Serve(l, nil)
	io.Copy(io.Discard, os.Stdin)
}
`

// proxied puts a release of a module into a folder that the go command takes for a module proxy.
func proxied(t *testing.T, proxy, path, version, source string) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	mod := "module " + path + "\n"
	write(t, filepath.Join(dir, version+".mod"), mod)
	write(t, filepath.Join(dir, version+".info"), `{"Version":"`+version+`"}`)
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range map[string]string{"go.mod": mod, "stub.go": source} {
		w, err := z.Create(path + "@" + version + "/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestNotes: a service of a release with a known fault, and of the first without it.
func TestNotes(t *testing.T) {
	const path = "github.com/getsentry/sentry-go"
	for version, want := range map[string]string{"v0.30.0": "Upgrade to v0.31.0 or later", "v0.31.0": ""} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			proxied(t, filepath.Join(dir, "proxy"), path, version, sentry)
			write(t, filepath.Join(dir, "go.mod"),
				"module example.org/shop\n\ngo 1.25\n\nrequire "+path+" "+version+"\n")
			write(t, filepath.Join(dir, "main.go"), service)
			build := exec.Command("go", "build", "-mod=mod", "-modcacherw", "-o", "shop", ".")
			build.Dir = dir
			build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOSUMDB=off",
				"GOPROXY=file://"+filepath.Join(dir, "proxy"), "GOMODCACHE="+filepath.Join(dir, "pkg", "mod"))
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			addr, _ := victimtest.Start(t, filepath.Join(dir, "shop"))
			c := examine(t, doctor.Request{URL: addr})
			if want == "" && len(c.Notes) > 0 || want != "" && (len(c.Notes) != 1 ||
				!strings.Contains(c.Notes[0].String(), want)) || c.Warns() {
				t.Errorf("want a note of %q and no warning, got %v and %v", want, c.Notes, c.Advice)
			}
		})
	}
}

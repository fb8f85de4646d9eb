package cli_test

import (
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// startGuarded serves pprof below /admin/pprof/ on a Unix domain socket to clients that have the token, and returns its
// address.
func startGuarded(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s") // a socket's path may have 107 characters
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "shop.sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/admin/pprof/", pprof.Index)
	mux.HandleFunc("/admin/pprof/profile", pprof.Profile)
	for _, name := range []string{"heap", "goroutine"} {
		mux.Handle("/admin/pprof/"+name, pprof.Handler(name))
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return "unix://" + socket + ":/admin/pprof/"
}

// tokenVar is the environment variable with the token. TestMain sets it, because a parallel test may not.
const tokenVar = "CASEBOOK_TEST_TOKEN"

func TestTargetThatWantsAToken(t *testing.T) {
	t.Parallel()
	url, token := startGuarded(t), write(t, "token", "s3cret\n")
	inProcess(t, "diagnose", url).want(t, 2, "answered 401", "--bearer-file")
	inProcess(t, "capture", "--bearer-file", "/nowhere", url).want(t, 2, "BearerFile")
	inProcess(t, "watch", "--bearer-env", "CASEBOOK_TEST_NONE", url).want(t, 2,
		"the environment variable CASEBOOK_TEST_NONE is not set")
	inProcess(t, "watch", "--header", "s3cret", url).want(t, 2, "--header: a header has no colon")
	for _, access := range [][]string{{"--bearer-file", token}, {"--bearer-env", tokenVar},
		{"--header", "Authorization: Bearer s3cret"}} {
		dir := t.TempDir()
		args := append([]string{"capture", "--dir", dir, "--before", "0s", "--profile", "1s", "--kinds",
			"goroutine,heap"}, access...)
		r := inProcess(t, append(args, url)...)
		f := onlyCase(t, dir)
		r.want(t, codeOf(f.Case), "goroutine.pb.gz", "heap.pb.gz", "unix:///")
		if got := kindsOf(f.Case, casefile.During); !strings.HasPrefix(got, "goroutine heap") {
			t.Errorf("taken: %s", got)
		}
		wantNoSecret(t, dir, r.out+r.errors)
	}
	r := inProcess(t, "diagnose", "--bearer-file", token, "--profile", "1s", url)
	if r.code == 2 || strings.Contains(r.out+r.errors, "s3cret") {
		t.Errorf("exit code %d:\n%s%s", r.code, r.out, r.errors)
	}
}

// wantNoSecret searches everything that a command has printed and stored.
func wantNoSecret(t *testing.T, dir, said string) {
	t.Helper()
	if strings.Contains(said, "s3cret") {
		t.Errorf("it said the secret:\n%s", said)
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "s3cret") {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

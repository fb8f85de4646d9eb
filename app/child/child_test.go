//go:build unix

package child_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof" // of the server that serves it
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// modeEnv makes the test binary a server of some kind.
const modeEnv = "CHILD_TEST_MODE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeEnv); mode != "" {
		serve(mode, os.Args[len(os.Args)-1])
	}
	os.Exit(m.Run())
}

// serve is a server, healthy or not. It does not return.
func serve(mode, addr string) {
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "cannot open database: no such file")
		os.Exit(7)
	case "panics":
		panic("out of luck")
	case "announces":
		fmt.Println(`{"listen": "` + addr + `"}`)
	case "deaf":
		fmt.Println("listening on nothing")
		select {}
	case "late": // serves pprof, at its own port, when it is asked to
		mux := http.NewServeMux() // without what net/http/pprof adds
		mux.HandleFunc("/profiles", func(http.ResponseWriter, *http.Request) {
			go func() { fmt.Fprintln(os.Stderr, http.ListenAndServe(os.Args[len(os.Args)-2], nil)) }()
		})
		fmt.Fprintln(os.Stderr, http.ListenAndServe(addr, mux))
		os.Exit(1)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "proper": // prints its PID before it listens: a test that finds it ready may end its parent at once
		fmt.Println("pid", os.Getpid())
	case "parent", "daemon": // the server proper is another process
		cmd := exec.Command(os.Args[0], os.Args[1:]...)
		cmd.Env = append(os.Environ(), modeEnv+"=proper")
		cmd.Stdout = os.Stdout
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: mode == "daemon"}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		_ = cmd.Wait()
		os.Exit(0)
	}
	http.HandleFunc("/broken", func(w http.ResponseWriter,
		_ *http.Request) {
		http.Error(w, "no", http.StatusServiceUnavailable)
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe(addr, nil))
	os.Exit(1)
}

// patience limits the wait for what comes at any speed of the machine.
const patience = 5 * time.Minute

func start(t *testing.T, mode string) *child.Process {
	t.Helper()
	return startWith(t, mode, child.Spec{Name: "A", Args: []string{os.Args[0], "127.0.0.1:{port}"}})
}

func startWith(t *testing.T, mode string, s child.Spec) *child.Process {
	t.Helper()
	s.Env = append(s.Env, modeEnv+"="+mode)
	p, err := child.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReadyAndStop(t *testing.T) {
	for _, mode := range []string{"healthy", "parent", "stubborn"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := start(t, mode)
			if err := p.Ready(context.Background(), "", patience); err != nil {
				t.Error(err)
			}
			if err := p.Stop(); err != nil {
				t.Error(err)
			}
			if conn, err := net.Dial("tcp", p.Addr); err == nil {
				conn.Close()
				t.Errorf("%s still answers after Stop", p.Addr)
			}
		})
	}
}

func TestNotReady(t *testing.T) {
	for _, c := range []struct {
		mode, path string
		limit      time.Duration
		want       []string
	}{
		{"dies", "", patience, []string{"A ended by itself: exit status 7", "cannot open database"}},
		{"panics", "", patience, []string{"ended by itself", "panic: out of luck"}},
		{"deaf", "", time.Second, []string{"was not ready within 1s", "connection refused", "listening on nothing"}},
		{"healthy", "/broken", time.Second, []string{"was not ready within ", "GET /broken answers 503"}},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			p := startWith(t, c.mode, child.Spec{Name: "A", Args: []string{os.Args[0], "127.0.0.1:{port}"},
				Announces: true})
			switch c.mode { // the limit should come when the server is as far as it gets
			case "deaf":
				// Its first line is not JSON, but it has written it.
				_ = p.Announced(context.Background(), patience, nil)
			case "healthy":
				if err := p.Ready(context.Background(), "", patience); err != nil {
					t.Error(err)
				}
			}
			err := p.Ready(context.Background(), c.path, c.limit)
			// Until it had time to answer.
			for limit := c.limit; c.mode == "healthy" && err != nil && !strings.Contains(err.Error(), "503"); {
				limit *= 4
				err = p.Ready(context.Background(), c.path, limit)
			}
			if stopErr := p.Stop(); stopErr != nil {
				t.Error(stopErr)
			}
			if err == nil {
				t.Fatal("it is ready")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the error does not say %q:\n%v", w, err)
				}
			}
		})
	}
}

func TestReadyEndsWithContext(t *testing.T) {
	p := start(t, "deaf")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Ready(ctx, "", time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("Ready says %v, want canceled", err)
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
}

func TestAnnounced(t *testing.T) {
	for _, c := range []struct {
		mode  string
		limit time.Duration
		want  string
	}{
		{"announces", patience, ""},
		{"dies", patience, "A did not start: exit status 7; its last output:\n  cannot open database"},
		{"deaf", patience, "its first line is not JSON"},
		{"healthy", 2 * time.Second, "A did not say within 2s where it listens"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			p := startWith(t, c.mode, child.Spec{Name: "A", Args: []string{os.Args[0], "127.0.0.1:0"}, Announces: true})
			var where struct{ Listen string }
			err := p.Announced(context.Background(), c.limit, &where)
			if stopErr := p.Stop(); stopErr != nil {
				t.Error(stopErr)
			}
			switch {
			case c.want == "" && (err != nil || where.Listen != "127.0.0.1:0"):
				t.Errorf("%v, %+v", err, where)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

// TestPprofIsWaitedFor: one of two ports listens first. A server is ready when the other one does.
func TestPprofIsWaitedFor(t *testing.T) {
	p := startWith(t, "late", child.Spec{Name: "A",
		Args: []string{os.Args[0], "127.0.0.1:{pprof}", "127.0.0.1:{port}"}})
	defer func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if err := p.Ready(t.Context(), "", patience); err != nil {
		t.Fatal(err)
	}
	found := make(chan *child.Pprof)
	go func() { found <- child.FindPprof(t.Context(), p) }()
	time.Sleep(100 * time.Millisecond) // mostly it has been refused by then
	resp, err := http.Get("http://" + p.Addr + "/profiles")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if <-found == nil {
		t.Error("pprof was not found at a port that listens a moment after the other")
	}
}

// TestDaemonIsReported starts a server that leaves its process group and so survives Stop.
func TestDaemonIsReported(t *testing.T) {
	p := start(t, "daemon")
	if err := p.Ready(context.Background(), "", patience); err != nil {
		t.Error(err)
	}
	err := p.Stop()
	if err == nil || !strings.Contains(err.Error(), "still answers") {
		t.Fatalf("Stop says %v, want that the port still answers", err)
	}
	var pid int
	_, rest, _ := strings.Cut(err.Error(), "pid ")
	if _, err := fmt.Sscan(rest, &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"  ./a  -b\t-c ", []string{"./a", "-b", "-c"}},
		{`./a 'b  c' "d \"e\" \n" f\ g ''`, []string{"./a", "b  c", `d "e" \n`, "f g", ""}},
		{`sh -c 'exec ./a -p $PORT'`, []string{"sh", "-c", "exec ./a -p $PORT"}},
	} {
		got, err := child.Split(c.in)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Split(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
		if back, err := child.Split(child.Join(got)); err != nil || !slices.Equal(back, got) {
			t.Errorf("Split(Join(%q)) = %q, %v", got, back, err)
		}
	}
	for _, in := range []string{`a 'b`, `a "b`, `a \`} {
		if got, err := child.Split(in); err == nil {
			t.Errorf("Split(%q) = %q, want an error", in, got)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		spec child.Spec
		want string
	}{
		{child.Spec{Name: "A"}, "the command of A is empty"},
		{child.Spec{Name: "A", Args: []string{"go", "run", ".", "{port}"}}, "build it first"},
		{child.Spec{Name: "B", Args: []string{"./b", "-addr", ":8080"}}, "does not say where its port goes"},
		{child.Spec{Name: "B", Args: []string{"./b"}, Env: []string{"{port}"}}, "want NAME=value"},
		{child.Spec{Name: "B", Args: []string{"./b"}, Env: []string{"PORT={port}"}}, ""},
	} {
		err := c.spec.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("Check of %q says %v, want %q", c.spec.Command(), err, c.want)
		}
	}
}

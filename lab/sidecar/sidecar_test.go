package sidecar

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/lab/serve/servetest"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "lab/sidecar.", "go-redis")) }

// echo answers each line with the same in capitals, and ends a connection when its caller has said all.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		open.Wait()
	})
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer c.Close()
				for lines := bufio.NewScanner(c); lines.Scan(); {
					fmt.Fprintln(c, strings.ToUpper(lines.Text()))
				}
				fmt.Fprintln(c, "BYE")
			})
		}
	})
	return l.Addr().String()
}

// TestForward: each caller gets its own answers, and what is said after it has said all.
func TestForward(t *testing.T) {
	var where serve.Addresses
	p := servetest.Start(t, Main, &where, "-to", echo(t))
	var callers sync.WaitGroup
	for i := range 8 {
		callers.Go(func() {
			c, err := net.Dial("tcp", where.Listen)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			fmt.Fprintf(c, "caller %d\nagain %d\n", i, i)
			_ = c.(*net.TCPConn).CloseWrite()
			got, err := io.ReadAll(c)
			if want := fmt.Sprintf("CALLER %d\nAGAIN %d\nBYE\n", i, i); err != nil || string(got) != want {
				t.Errorf("caller %d got %q, %v; want %q", i, got, err, want)
			}
		})
	}
	callers.Wait()
	p.Stop()
	if code := <-p.Code; code != serve.ExitOK {
		t.Errorf("exit code %d, stderr:\n%s", code, p.Stderr)
	}
}

// TestStopHangsUp: a stop ends connections that are idle.
func TestStopHangsUp(t *testing.T) {
	var where serve.Addresses
	p := servetest.Start(t, Main, &where, "-to", echo(t))
	c, err := net.Dial("tcp", where.Listen)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintln(c, "one")
	if line, err := bufio.NewReader(c).ReadString('\n'); line != "ONE\n" {
		t.Fatalf("%q, %v", line, err)
	}
	p.Stop()
	if code := <-p.Code; code != serve.ExitOK {
		t.Errorf("exit code %d, stderr:\n%s", code, p.Stderr)
	}
	if got, _ := io.ReadAll(c); strings.Contains(string(got), "ONE") {
		t.Errorf("after the stop %q comes", got)
	}
}

// TestNobodyThere: a caller is hung up on when what it is connected with is gone.
func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := l.Addr().String()
	_ = l.Close()
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		f := &forwarder{to: gone, log: slog.New(slog.DiscardHandler), conns: map[net.Conn]bool{}}
		if err := f.serve(t.Context(), front); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(serving.Wait)
	c, err := net.Dial("tcp", front.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, _ := io.ReadAll(c); len(got) > 0 { // it ends, with or without a reset
		t.Errorf("%q from nobody", got)
	}
}

func TestBadFlags(t *testing.T) {
	for _, arg := range []string{"-to=6379", "-listen=here", "-nope", "more"} {
		var stderr bytes.Buffer
		name, _, _ := strings.Cut(arg, "=")
		if code := Main(t.Context(), []string{arg}, io.Discard, &stderr); code != serve.ExitUsage ||
			!strings.Contains(stderr.String(), name) {
			t.Errorf("Main(%s) = %d, stderr %q; want %d and the flag's name", arg, code, &stderr, serve.ExitUsage)
		}
	}
}

// TestTable: each path has its figures, and only the one through the sidecar uses CPU there.
func TestTable(t *testing.T) {
	made, err := table(t.Context(), stagetest.Lab(t), pace{turn: 20 * time.Millisecond, turns: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Rows) != 4 || made.Holds == "" {
		t.Fatalf("%+v, want four rows and whether it holds", made)
	}
	for i, row := range made.Rows {
		if len(row) != len(made.Columns) {
			t.Errorf("row %q has %d cells, want %d", row, len(row), len(made.Columns))
		}
		if hop := row[5]; (hop == "–") != (i%2 == 0) || hop == "0 s" {
			t.Errorf("row %q: the sidecar took %s", row, hop)
		}
		for _, cell := range []int{2, 3, 4, 6, 7} {
			if row[cell] == "0 s" {
				t.Errorf("row %q: %s is 0", row, made.Columns[cell])
			}
		}
	}
	var text strings.Builder
	if err := made.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("a line has %d columns, a terminal 80: %s", n, line)
		}
	}
	t.Log(text.String())
}

// TestCPUOf: a process that works uses CPU time, and one that does not exist is an error.
func TestCPUOf(t *testing.T) {
	before, err := cpuOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		if after, err := cpuOf(os.Getpid()); err != nil || after > before {
			if err != nil {
				t.Error(err)
			}
			break
		}
	}
	if _, err := cpuOf(1 << 30); err == nil {
		t.Error("no error for a process that does not exist")
	}
}

// TestHolds: the sentence follows the figures.
func TestHolds(t *testing.T) {
	at := func(total time.Duration) *Price {
		return &Price{Callers: 8, CPU: map[string]time.Duration{callerPlace: total}}
	}
	if got := holds(at(40*time.Microsecond), at(70*time.Microsecond)); !strings.Contains(got, "30 µs of CPU more") ||
		!strings.Contains(got, "9 % of a core") {
		t.Errorf("30 µs more: %q", got)
	}
	if got := holds(at(40*time.Microsecond), at(39*time.Microsecond)); !strings.HasPrefix(got, "Not by these figures") {
		t.Errorf("no more: %q", got)
	}
}

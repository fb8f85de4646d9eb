// Command mcp says what `casebook mcp` costs beside other commands: how long it takes to its first answers, and how much
// memory it holds. In lab:
//
//	go run ./bench/mcp -casebook ../bin/casebook
//
// Each run is a process that is asked to initialize, for its tools and, for the second line, for a diagnosis
// of recorded evidence. Medians; CPU and peak memory are the process's own, as the kernel counts them.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/number"
)

func main() {
	casebook := flag.String("casebook", "../bin/casebook", "the `program`")
	runs := flag.Int("runs", 40, "how many `times` it is started for each line")
	flag.Parse()
	if err := run(*casebook, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

func run(casebook string, runs int) error {
	dir, err := archive.Temp("foreign/*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, diagnose := range []bool{false, true} {
		if err := measure(casebook, filepath.Join(dir, "foreign"), runs, diagnose); err != nil {
			return err
		}
	}
	return nil
}

// A cost is what one process took.
type cost struct{ elapsed, cpu, memory float64 }

func measure(casebook, dir string, runs int, diagnose bool) error {
	var all [3][]float64
	for range runs {
		c, err := once(casebook, dir, diagnose)
		if err != nil {
			return err
		}
		for i, v := range []float64{c.elapsed, c.cpu, c.memory} {
			all[i] = append(all[i], v)
		}
	}
	for i := range all {
		slices.Sort(all[i])
	}
	what := "initialize and tools/list"
	if diagnose {
		what = "and a diagnosis"
	}
	fmt.Printf("%s: answered after %s, %s of CPU, %s resident at most (medians of %d)\n", what,
		number.Seconds(all[0][runs/2]), number.Seconds(all[1][runs/2]), number.Bytes(all[2][runs/2]), runs)
	return nil
}

// once starts a server, asks it, and ends it by closing its input.
func once(casebook, dir string, diagnose bool) (c cost, err error) {
	cmd := exec.Command(casebook, "mcp", "--dir", dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return c, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return c, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return c, err
	}
	answers := bufio.NewReader(out)
	ask := []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`}
	if diagnose {
		ask = append(ask, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"diagnose","arguments":{"case":`+
			`"nats-memory"}}}`)
	}
	for i, line := range ask {
		if i == 1 {
			line = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + line
		}
		if _, err := fmt.Fprintln(in, line); err != nil {
			return c, err
		}
		if err := good(answers); err != nil {
			return c, errors.Join(err, cmd.Process.Kill())
		}
	}
	c.elapsed = time.Since(began).Seconds()
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		return c, err
	}
	r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return c, errors.New("this system does not say what a process took")
	}
	c.cpu, c.memory = float64(r.Utime.Nano()+r.Stime.Nano())/1e9, float64(r.Maxrss)*1024
	return c, nil
}

// good reads an answer, which must have a result.
func good(answers *bufio.Reader) error {
	line, err := answers.ReadBytes('\n')
	if err != nil {
		return err
	}
	var a struct {
		Result *struct{ IsError bool }
		Error  json.RawMessage
	}
	if err := json.Unmarshal(line, &a); err != nil || a.Result == nil || a.Result.IsError {
		return errors.Join(fmt.Errorf("it answered %.300s", line), err)
	}
	return nil
}

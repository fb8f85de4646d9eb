// Command notice runs services of lab/unseen/third, one at a time, beside `casebook watch` with the default rules:
// healthy traffic for a while, then what makes the service ill. It prints how many seconds after that which rule
// tripped, and of the repaired form that none did.
//
//	cd lab && go run ./unseen/notice -casebook ../bin/casebook [-only press] [-keep FOLDER]
//
// A trip of cpu-pressure says that the machine is busy, and is not counted.
//
// The exit status is 1 if a service tripped nothing in time, or a repaired one something.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

const (
	addr   = "127.0.0.1:7860"
	public = "127.0.0.1:7865" // of agents
	url    = "http://" + addr
)

// A row is a service, its traffic, and what makes it ill. Each load is a list of arguments of `casebook load`.
type row struct {
	name    string
	args    []string
	healthy [][]string
	ill     [][]string
	idle    int // connections of clients that send a request and stay, before and with the fault
	illIdle int
	fresh   string // clients that connect for a second each, at this address
	within  time.Duration
}

func rows(picture string) []row {
	put := []string{"-X", "PUT", "--no-templates", "-d", "@" + picture, url + "/pictures/p"}
	job := func(rate, kind string) []string { return []string{"--rate", rate, "-X", "POST", url + "/jobs/" + kind} }
	return []row{
		{name: "press",
			healthy: [][]string{{"--rate", "6", url + "/books/b{{seq}}/preview"},
				{"--rate", "12/m", url + "/books/b{{seq}}"}},
			ill: [][]string{{"--rate", "12", url + "/books/b{{seq 1000}}"}}, within: 2 * time.Minute},
		{name: "agents", args: []string{"-public", public}, idle: 20, illIdle: 70,
			fresh: "http://" + public + "/agents/z{{rand 1 99}}/settings", within: time.Minute},
		{name: "desk", healthy: [][]string{job("6", "prints"), {"--rate", "3", url + "/jobs/prints"}},
			ill: [][]string{job("6", "kind{{rand 1 5}}")}, within: time.Minute},
		{name: "thumbs", healthy: [][]string{append([]string{"--rate", "5"}, put...)},
			ill: [][]string{append([]string{"--rate", "22"}, put...)}, within: 150 * time.Second},
	}
}

type options struct {
	casebook, bin, keep string
	calm                time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.casebook, "casebook", "../bin/casebook", "the `binary`")
	flag.StringVar(&o.keep, "keep", "", "`folder` for what the watches print")
	flag.DurationVar(&o.calm, "calm", 50*time.Second, "healthy traffic before the fault")
	only := flag.String("only", ".*", "`regexp` of names")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, &o, regexp.MustCompile("^(?:"+*only+")$")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options, match *regexp.Regexp) (err error) {
	if o.bin, err = os.MkdirTemp("", "casebook-notice-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.bin)
	if o.casebook, err = filepath.Abs(o.casebook); err != nil {
		return err
	}
	picture := filepath.Join(o.bin, "picture")
	if err := os.WriteFile(picture, make([]byte, 64<<10), 0o600); err != nil {
		return err
	}
	wrong := 0
	for _, r := range rows(picture) {
		if !match.MatchString(r.name) {
			continue
		}
		for _, tags := range []string{"", "fixed"} {
			ok, text, err := r.watch(ctx, o, tags)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			if !ok {
				text, wrong = text+"  WRONG", wrong+1
			}
			fmt.Printf("%-8s %-9s %s\n", r.name, tags, text)
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d wrong", wrong)
	}
	return nil
}

// watch runs one form of a service until something trips or time is up.
func (r *row) watch(ctx context.Context, o *options, tags string) (ok bool, text string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	bin := filepath.Join(o.bin, r.name+tags)
	build := exec.Command("go", "build", "-tags", tags, "-o", bin, "./"+r.name)
	build.Dir, build.Env = "unseen/third", append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return false, "", fmt.Errorf("building: %w\n%s", err, out)
	}
	start := func(name string, args ...string) (*exec.Cmd, io.Reader, error) {
		c := exec.CommandContext(ctx, name, args...)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		return c, out, err
	}
	var running []*exec.Cmd
	defer func() {
		cancel()
		for _, c := range running {
			c.Wait()
		}
	}()
	begin := func(name string, args ...string) error {
		c, out, err := start(name, args...)
		if err == nil {
			running = append(running, c)
			go io.Copy(io.Discard, out)
		}
		return err
	}
	load := func(loads [][]string) error {
		for _, args := range loads {
			load := append([]string{"load", "--silent", "--timeout", "30s", "-t", "10m"}, args...)
			if err := begin(o.casebook, load...); err != nil {
				return err
			}
		}
		return nil
	}
	if err := begin(bin, append([]string{"-addr", addr}, r.args...)...); err != nil {
		return false, "", err
	}
	time.Sleep(time.Second)
	cases := filepath.Join(o.bin, r.name+tags+".cases")
	w, events, err := start(o.casebook, "watch", "--dir", cases, "--json", "--for",
		(o.calm + r.within + 20*time.Second).String(), url)
	if err != nil {
		return false, "", err
	}
	running = append(running, w)
	tripped := make(chan string, 1)
	go follow(events, filepath.Join(o.keep, r.name+tags+".json"), o.keep != "", tripped)
	time.Sleep(2 * time.Second)
	if err := load(r.healthy); err != nil {
		return false, "", err
	}
	stay(ctx, r.idle)
	if r.fresh != "" {
		go connect(ctx, o.casebook, r.fresh)
	}
	select {
	case text := <-tripped:
		return false, "while healthy: " + text, nil
	case <-time.After(o.calm):
	case <-ctx.Done():
		return false, "", ctx.Err()
	}
	fault := time.Now()
	if err := load(r.ill); err != nil {
		return false, "", err
	}
	stay(ctx, r.illIdle)
	select {
	case text := <-tripped:
		return tags == "" && time.Since(fault) <= r.within+time.Second,
			fmt.Sprintf("%4.0f s  %s", time.Since(fault).Seconds(), text), nil
	case <-ctx.Done():
		return false, "", ctx.Err()
	case <-time.After(r.within):
		return tags != "", "nothing tripped", nil
	}
}

// follow reads the events of a watch, and keeps them.
func follow(events io.Reader, path string, keep bool, tripped chan<- string) {
	kept := io.Discard
	if keep {
		if f, err := os.Create(path); err == nil {
			defer f.Close()
			kept = f
		}
	}
	lines := bufio.NewScanner(io.TeeReader(events, kept))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e struct {
			Event   string `json:"event"`
			Trigger struct {
				Rule string `json:"rule"`
				Text string `json:"text"`
			} `json:"trigger"`
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && (e.Event == "tripped" || e.Event == "joined") &&
			e.Trigger.Rule != "cpu-pressure" {
			select {
			case tripped <- e.Trigger.Rule + ": " + e.Trigger.Text:
			default:
			}
		}
	}
	io.Copy(kept, events)
}

// stay keeps n connections of agents, each with a heartbeat in 20 s.
func stay(ctx context.Context, n int) {
	for i := range n {
		go func() {
			for ctx.Err() == nil {
				heartbeat(ctx, i)
				time.Sleep(time.Second)
			}
		}()
	}
}

func heartbeat(ctx context.Context, i int) {
	c, err := net.DialTimeout("tcp", public, time.Minute)
	if err != nil {
		return
	}
	defer c.Close()
	answer := make([]byte, 4096)
	for ctx.Err() == nil {
		fmt.Fprintf(c, "POST /agents/a%d HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", i)
		c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := c.Read(answer); err != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Second):
		}
	}
}

// connect sends eight requests a second by clients that are new each five seconds.
func connect(ctx context.Context, casebook, url string) {
	for ctx.Err() == nil {
		exec.CommandContext(ctx, casebook, "load", "--silent", "--timeout", "10s", "-t", "5s", "--rate", "8", url).Run()
	}
}

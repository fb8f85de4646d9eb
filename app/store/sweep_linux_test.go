package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const sweeperArg = "sweep-store"

// processes are what TestMain is instead of tests.
var processes = map[string]func(ctx context.Context, args []string) error{
	receiverArg: receive,
	sweeperArg:  sweepForEver,
}

// sweepForEver sweeps a store at random moments, again and again, and prints how many blobs each sweep took. What a
// sweep may take is at most a moment old, and not a day.
func sweepForEver(ctx context.Context, args []string) error {
	s, err := Open(ctx, Config{Index: args[0], Blobs: args[1], Scratch: args[2]})
	if err != nil {
		return err
	}
	for {
		moment := time.Duration(rand.IntN(200)) * time.Millisecond
		s.now = func() time.Time { return time.Now().Add(sweepAge - moment) }
		n, _, err := s.Sweep(ctx)
		if err != nil && !errors.Is(err, ErrUnavailable) {
			return err
		}
		fmt.Println(n)
		time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond) // for the uploads, which wait for SQLite's only writer
	}
}

// A sweeping has one sweeper after the other: each is killed after a moment.
type sweeping struct {
	kills, sweeps, taken int
	stop                 context.CancelFunc
	ended                sync.WaitGroup
}

func startSweeping(t *testing.T, cfg Config) *sweeping {
	ctx, stop := context.WithCancel(t.Context())
	w := &sweeping{stop: stop}
	w.ended.Go(func() {
		for ctx.Err() == nil {
			if err := w.one(cfg); err != nil {
				t.Error(err)
				return
			}
		}
	})
	return w
}

// one runs a sweeper until after some sweeps.
func (w *sweeping) one(cfg Config) error {
	cmd := exec.Command(os.Args[0], sweeperArg, cfg.Index, cfg.Blobs, cfg.Scratch)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	lines, last := bufio.NewScanner(out), w.sweeps+1+rand.IntN(40)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			return err
		}
		w.taken += n
		if w.sweeps++; w.sweeps == last {
			time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond)
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // killed
	w.kills++
	if w.sweeps < last {
		return fmt.Errorf("a sweeper ended by itself:\n%s", said.String())
	}
	return nil
}

func (w *sweeping) end() {
	w.stop()
	w.ended.Wait()
}

// attackUploads is how many uploads a test makes beside sweeps. docs/evidence/attacks.md has those of ten
// thousand.
func attackUploads(t *testing.T) int {
	text := os.Getenv("CASEBOOK_UPLOADS")
	if text == "" {
		return 200
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("CASEBOOK_UPLOADS: %v", err)
	}
	return n
}

// Senders upload cases with the same evidence and remove them, while sweeps of another process, which is killed again
// and again, take what no case has at the moment. No case that was acknowledged is without its evidence.
func TestSweepBesideUploads(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		const senders, evidence = 4, 6
		s := openStore(t, cfg)
		var parcels [senders][evidence]parcel
		for i := range parcels {
			for j := range parcels[i] {
				parcels[i][j] = newParcelWith(t, i*evidence+j, uint64(j), "shop")
			}
		}
		n, began := attackUploads(t), time.Now()
		w := startSweeping(t, cfg)
		var made, lost atomic.Int64
		var group sync.WaitGroup
		for i := range senders {
			group.Go(func() {
				for int(made.Add(1)) <= n {
					whole, err := uploadAndRemove(t.Context(), s, parcels[i][rand.IntN(evidence)])
					if err != nil {
						t.Error(err)
						return
					}
					if !whole {
						lost.Add(1)
					}
				}
			})
		}
		group.Wait()
		w.end()
		t.Logf("attack: %s: %d uploads beside %d sweeps that took %d blobs, and %d kills of the sweeper: %d acknowledged "+
			"cases lost evidence, %.0f s", t.Name(), n, w.sweeps, w.taken, w.kills, lost.Load(), time.Since(began).Seconds())
		if lost.Load() > 0 {
			t.Errorf("%d of %d acknowledged cases are without evidence", lost.Load(), n)
		}
		if w.taken == 0 {
			t.Error("the sweeps have taken nothing")
		}
	})
}

// uploadAndRemove says whether a case had its evidence until it was removed.
func uploadAndRemove(ctx context.Context, s *Store, p parcel) (whole bool, err error) {
	if err := putUntilTaken(ctx, s, p.upload); err != nil {
		return false, err
	}
	time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
	whole = true
	for _, e := range p.c.Evidence {
		_, b, err := s.Evidence(ctx, p.c.ID, e.File)
		if errors.Is(err, ErrNotFound) {
			whole = false
			continue
		}
		if err != nil {
			return false, err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, b)
		if err = errors.Join(err, b.Close()); err != nil {
			return false, err
		}
		if fmt.Sprintf("%x", sum.Sum(nil)) != e.SHA256 {
			return false, fmt.Errorf("%s came back changed", e.File)
		}
	}
	return whole, s.Remove(ctx, p.c.ID)
}

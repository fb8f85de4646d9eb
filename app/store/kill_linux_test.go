package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/disktest"
)

const receiverArg = "receive-cases"

// putUntilTaken sends a case as senders do: again, if the store has no time for it.
func putUntilTaken(ctx context.Context, s *Store, up func() Upload) error {
	for {
		if _, err := s.Put(ctx, up()); !errors.Is(err, ErrUnavailable) {
			return err
		}
	}
}

// receive puts the zips of a folder into a store, several at a time, and prints the ID of each that it has a receipt of.
func receive(ctx context.Context, args []string) error {
	s, err := Open(ctx, Config{Index: args[0], Blobs: args[1], Scratch: args[2]})
	if err != nil {
		return err
	}
	zips, err := filepath.Glob(filepath.Join(args[3], "*.zip"))
	if err != nil {
		return err
	}
	todo, failed := make(chan string), make(chan error)
	const senders = 4
	for range senders {
		go func() {
			for name := range todo {
				data, err := os.ReadFile(name)
				if err == nil {
					err = putUntilTaken(ctx, s, func() Upload { return Upload{Body: bytes.NewReader(data)} })
				}
				if err == nil {
					_, err = fmt.Println(strings.TrimSuffix(filepath.Base(name), ".zip"))
				}
				if err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for _, name := range zips {
		todo <- name
	}
	close(todo)
	var errs []error
	for range senders {
		errs = append(errs, <-failed)
	}
	return errors.Join(append(errs, s.Close())...)
}

// A process that receives cases is killed, again and again, while others sweep: each case it has given a receipt of is
// there, whole.
func TestKilled(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		const rounds, cases = 3, 24
		openStore(t, cfg) // makes the tables
		defer startSweeping(t, cfg).end()
		made, given := map[string]parcel{}, 0
		for round := range rounds {
			dir := t.TempDir()
			for i := range cases {
				p := newParcel(t, round*cases+i, "shop")
				made[p.c.ID] = p
				if err := os.WriteFile(filepath.Join(dir, p.c.ID+".zip"), p.zip, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			receipts := killedReceiver(t, cfg, dir)
			s := openStore(t, cfg)
			for _, id := range receipts {
				wantEvidence(t, s, made[id])
			}
			t.Logf("killed after %d of %d receipts", len(receipts), cases)
			given += len(receipts)
		}
		s := openStore(t, cfg) // what was there stays, through all kills
		have := listed(t, s, Filter{Limit: maxPage})
		for _, id := range have {
			wantEvidence(t, s, made[id])
		}
		if len(have) < given {
			t.Errorf("the store has %d cases, and gave %d receipts", len(have), given)
		}
	})
}

// killedReceiver starts a receiver and kills it after a random number of receipts.
func killedReceiver(t *testing.T, cfg Config, dir string) (receipts []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], receiverArg, cfg.Index, cfg.Blobs, t.TempDir(), dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(10*time.Minute, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	last := 1 + rand.IntN(20)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if receipts = append(receipts, lines.Text()); len(receipts) == last {
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // killed
	if len(receipts) < last {
		t.Fatalf("the receiver gave %d receipts, want %d at least:\n%s", len(receipts), last, said.String())
	}
	return receipts
}

// A full disk refuses a case, keeps what is there, and takes cases again when there is room.
func TestFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 4<<20, 0)
	index := filepath.Join(t.TempDir(), "index.db")
	s := openStore(t, Config{Index: "sqlite:" + index, Blobs: filepath.Join(dir, "blobs"), Scratch: t.TempDir()})
	kept := newParcel(t, 0, "shop")
	put(t, s, kept)
	file := disktest.Fill(t, dir, 4096)
	p := newParcel(t, 1, "shop")
	if r, err := s.Put(t.Context(), p.upload()); !errors.Is(err, ErrFull) {
		t.Errorf("on a full disk Put gave %+v, %v; want ErrFull", r, err)
	}
	wantEvidence(t, s, kept)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	put(t, s, p)
	wantEvidence(t, s, p)
}

// The database goes away and comes back: senders are told to wait, and nothing is lost.
func TestDatabaseAway(t *testing.T) {
	cfg := postgresConfig(t)
	s := openStore(t, cfg)
	kept := newParcel(t, 0, "shop")
	put(t, s, kept)
	postgresIs.Stop()
	p := newParcel(t, 1, "shop")
	_, err := s.Put(t.Context(), p.upload())
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("without its database Put gave %v, want ErrUnavailable", err)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("without its database Ping gave %v, want ErrUnavailable", err)
	}
	if err := postgresIs.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; {
		_, err := s.Put(t.Context(), p.upload())
		if err == nil {
			break
		}
		if !errors.Is(err, ErrUnavailable) || time.Now().After(end) {
			t.Fatal(err)
		}
	}
	wantEvidence(t, s, kept)
	wantEvidence(t, s, p)
}

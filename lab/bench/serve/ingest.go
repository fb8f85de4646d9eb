package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/casefile"
)

// An intake is what became of the cases that were sent.
type intake struct {
	mu      sync.Mutex // guards what follows
	sums    map[string]string
	took    []time.Duration
	refused map[int]int // by code
	lost    []error     // no answer came
}

const (
	evidenceName = "during/cpu.pb.gz"
	maxFlight    = 512 // cases under way; a server that is this far behind has failed
)

// takeIn sends cases at a rate, whether the server keeps up or not, and reads each one back that it acknowledged.
func (b *bench) takeIn(ctx context.Context, s *process) error {
	in := &intake{sums: map[string]string{}, refused: map[int]int{}}
	before, err := s.cpu()
	if err != nil {
		return err
	}
	began := time.Now()
	sent, late, err := b.send(ctx, s, in)
	if err != nil {
		return err
	}
	took := time.Since(began)
	after, err1 := s.cpu()
	peak, err2 := s.peak()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	slices.Sort(in.took)
	n := len(in.took)
	fmt.Printf("  sent %d cases of %d bytes in %s; acknowledged %d, %.1f a second; refused %v, without an answer %d\n",
		sent, b.size, took.Round(time.Second), n, float64(n)/took.Seconds(), in.refused, len(in.lost))
	fmt.Printf("  began later than planned by %s at most; the server's CPU %.2f cores, its memory %d MB at most\n",
		late.Round(time.Millisecond), (after-before).Seconds()/took.Seconds(), peak>>20)
	if n == 0 {
		return errors.Join(append(in.lost, errors.New("no case was acknowledged"))...)
	}
	fmt.Printf("  answered in p50 %s, p99 %s, max %s\n", round(in.took[n/2]), round(in.took[n*99/100]), round(in.took[n-1]))
	return in.readBack(ctx, s)
}

// send gives each case its moment. late is by how much the last moment was missed that was missed most.
func (b *bench) send(ctx context.Context, s *process, in *intake) (sent int, late time.Duration, err error) {
	var work errgroup.Group
	work.SetLimit(maxFlight)
	began := time.Now()
	every := time.Second / time.Duration(b.rate)
	for ; ctx.Err() == nil; sent++ {
		due := began.Add(time.Duration(sent) * every)
		if due.Sub(began) >= b.ingest {
			break
		}
		time.Sleep(time.Until(due))
		late = max(late, time.Since(due))
		work.Go(func() error { return b.sendOne(ctx, s, in, uint64(sent)) })
	}
	return sent, late, errors.Join(work.Wait(), ctx.Err())
}

func (b *bench) sendOne(ctx context.Context, s *process, in *intake, n uint64) error {
	at := time.Now().UTC().Truncate(time.Second)
	data := make([]byte, b.size)
	var seed [32]byte
	for i := range 8 {
		seed[i] = byte(n >> (8 * i))
	}
	_, _ = rand.NewChaCha8(seed).Read(data) // documented never to fail
	digest := sha256.Sum256(data)
	sum := hex.EncodeToString(digest[:])
	c := casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"), Opened: at,
		Target: casefile.Target{Name: "shop"}, Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"},
		Evidence: []casefile.Evidence{{File: evidenceName, Kind: casefile.CPU, Phase: casefile.During, Taken: at,
			Bytes: int64(b.size), SHA256: sum}},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "X001", Kind: "gc-cpu", Title: "t", Score: 50,
			Confidence: 1, Summary: "s"}}}}
	zip, err := pack(c, map[string][]byte{evidenceName: data})
	if err != nil {
		return err
	}
	began := time.Now()
	err = put(ctx, s.url, c.ID, zip)
	took := time.Since(began)
	in.mu.Lock()
	defer in.mu.Unlock()
	var no *refusal
	switch {
	case err == nil:
		in.sums[c.ID] = sum
		in.took = append(in.took, took)
	case errors.As(err, &no):
		in.refused[no.code]++
	default:
		in.lost = append(in.lost, err)
	}
	return nil
}

// readBack reads the evidence of every case that was acknowledged.
func (in *intake) readBack(ctx context.Context, s *process) error {
	began := time.Now()
	var work errgroup.Group
	work.SetLimit(4)
	for id, sum := range in.sums {
		work.Go(func() error {
			data, err := get(ctx, s.url+"/api/v1/cases/"+id+"/evidence/"+evidenceName)
			if got := sha256.Sum256(data); err == nil && hex.EncodeToString(got[:]) != sum {
				err = fmt.Errorf("case %s came back with another checksum", id)
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return fmt.Errorf("a case that was acknowledged is not whole: %w", err)
	}
	fmt.Printf("  all %d acknowledged cases were read back whole, in %s\n", len(in.sums),
		time.Since(began).Round(time.Second))
	return nil
}

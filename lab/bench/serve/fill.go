package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/casefile"
)

// fillers is how many cases are sent at a time.
const fillers = 8

// fill sends b.cases cases to a server, the same ones each time.
func (b *bench) fill(ctx context.Context, url string) error {
	began := time.Now()
	models, err := readModels(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("  %d models diagnosed in %s\n", len(models), time.Since(began).Round(time.Second))
	began = time.Now()
	var work errgroup.Group
	work.SetLimit(fillers)
	newest := time.Now().UTC().Truncate(time.Second)
	for i := range b.cases {
		if ctx.Err() != nil {
			break
		}
		work.Go(func() error {
			c, files := vary(models, i, newest.Add(-time.Duration(i)*b.every), newest)
			data, err := pack(c, files)
			if err != nil {
				return err
			}
			return put(ctx, url, c.ID, data)
		})
	}
	if err := errors.Join(work.Wait(), ctx.Err()); err != nil {
		return fmt.Errorf("filling the store: %w", err)
	}
	took := time.Since(began)
	fmt.Printf("  %d cases sent in %s, %.0f a second\n", b.cases, took.Round(time.Second), float64(b.cases)/took.Seconds())
	return nil
}

// What cases differ by. A team has fifty services, each with a few diseases that come again.
var (
	areas = []string{"shop", "cart", "search", "billing", "mail", "feed", "auth", "media", "maps", "ledger"}
	roles = []string{"api", "worker", "gateway", "cache", "jobs"}
	zones = []string{"eu-1", "eu-2", "us-1", "ap-1"}
	rules = []string{"gc-cpu", "cpu-high", "goroutine-leak", "heap-growth", "sched-latency", "throttled", "disk-writes"}
)

// diseases is how many models a service has. The first has most of its cases, and has begun within the last two weeks.
const diseases = 3

// vary makes the i-th case. Its functions have the service's name in them, so that a search for one finds a fiftieth of
// the cases.
func vary(models []*model, i int, at, newest time.Time) (casefile.Case, map[string][]byte) {
	random := rand.New(rand.NewPCG(1, uint64(i)))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	number := min(random.IntN(len(areas)*len(roles)), random.IntN(len(areas)*len(roles))) // some have more
	service := areas[number%len(areas)] + "-" + roles[number/len(areas)]
	disease := [10]int{0, 0, 0, 0, 0, 0, 1, 1, 1, 2}[random.IntN(10)]
	if begun := time.Duration(number*37%14+1) * 24 * time.Hour; newest.Sub(at) > begun {
		disease = 1 + disease%2
	}
	m := models[(number*diseases+disease)*5%len(models)]
	rule := pick(rules)
	share := 20 + random.IntN(75)
	c := m.c
	c.ID, c.Opened, c.Closed = casefile.NewID(at, rule), at, at.Add(40*time.Second)
	c.Target.Name = service
	c.Target.Labels = map[string]string{"zone": pick(zones), "team": pick(areas), "pod": fmt.Sprintf("%s-%x", service,
		random.Uint32())}
	c.Target.Build.Version = fmt.Sprintf("v1.%d.%d", random.IntN(30), random.IntN(10))
	c.Trigger = casefile.Trigger{Rule: rule, Time: at, Unit: "share", Value: float64(share) / 100,
		Text: fmt.Sprintf("%s was %d %%, above %d %% for 5s", strings.ReplaceAll(rule, "-", "_"), share, share-6)}
	c.Findings = slices.Clone(c.Findings)
	for j := range c.Findings {
		f := &c.Findings[j]
		f.Score = min(100, max(1, f.Score+random.IntN(21)-10))
		f.Where = slices.Clone(f.Where)
		for k := range f.Where {
			f.Where[k].Function = strings.Replace(f.Where[k].Function, "lab/faults", service, 1)
		}
	}
	return c, m.files
}

// encode is case.json.
func encode(c casefile.Case) ([]byte, error) { return json.MarshalIndent(c, "", "  ") }

// pack makes the zip that a watch sends.
func pack(c casefile.Case, files map[string][]byte) ([]byte, error) {
	record, err := encode(c)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: c.ID + "/" + name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	err = add("case.json", record)
	for i := range c.Evidence {
		err = errors.Join(err, add(c.Evidence[i].File, files[c.Evidence[i].File]))
	}
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

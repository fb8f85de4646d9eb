package ads

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/serve"
)

// A contentConfig says what the content service publishes.
type contentConfig struct {
	serve.Flags
	world     World
	republish time.Duration
	reach     int // ads that an audience may see, more or less

	match, flowBy, notes string // see forms.go
}

// ContentMain runs the content service: "lab content" with args. It prints where it listens, ends and returns like
// Main.
func ContentMain(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseContent(args, stderr)
	if err != nil {
		return serve.Usage(err, "content", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runContent(ctx, c, stdout, log)
	})
}

func parseContent(args []string, stderr io.Writer) (contentConfig, error) {
	c := contentConfig{Flags: serve.DefaultFlags(), world: DefaultWorld(), reach: 2000,
		match: matchSearch, flowBy: flowNumber, notes: notesSlice}
	c.Listen, c.Pprof = "127.0.0.1:0", ""
	f := flag.NewFlagSet("content", flag.ContinueOnError)
	f.SetOutput(stderr)
	c.Add(f)
	f.IntVar(&c.world.Topics, "topics", c.world.Topics, "topics of pages")
	f.IntVar(&c.world.Ads, "ads", c.world.Ads, "ads of each topic")
	f.IntVar(&c.world.Campaigns, "campaigns", c.world.Campaigns, "campaigns of all ads")
	f.IntVar(&c.world.Keywords, "keywords", c.world.Keywords, "keywords of each ad")
	f.DurationVar(&c.republish, "republish", c.republish, "how often other campaigns are paused; 0: never")
	f.IntVar(&c.reach, "reach", c.reach, "`ads` that an audience may see, more or less")
	for _, o := range c.choices() {
		f.StringVar(o.value, o.name, *o.value, o.text+": "+strings.Join(o.words, ", "))
	}
	if err := serve.Parse(f, args); err != nil {
		return c, err
	}
	return c, c.validate()
}

func (c *contentConfig) choices() []choice {
	return []choice{
		{"match", "how the ads of a topic and of an audience are compared", &c.match, contentMatchForms()},
		{"flow-by", "what flow control is kept by", &c.flowBy, flowForms()},
		{"notes", "what a request notes scores in", &c.notes, notesForms()},
	}
}

// validate names the flag at fault.
func (c *contentConfig) validate() error {
	w := c.world
	errs := []error{
		c.Flags.Validate(),
		serve.Check(w.Topics >= 1 && w.Topics <= 1000, "topics", "must be from 1 to 1000"),
		serve.Check(w.Ads >= 1 && w.Ads <= maxAds, "ads", fmt.Sprintf("must be from 1 to %d", maxAds)),
		serve.Check(w.Campaigns >= 1 && w.Campaigns <= 1_000_000, "campaigns", "must be from 1 to 1000000"),
		serve.Check(w.Keywords >= 1 && w.Keywords <= topicWords, "keywords",
			fmt.Sprintf("must be from 1 to %d", topicWords)),
		serve.Check(c.republish >= 0, "republish", "must not be negative"),
		serve.Check(c.reach >= 1, "reach", "must be above 0"),
	}
	for _, o := range c.choices() {
		errs = append(errs, o.check())
	}
	return errors.Join(errs...)
}

// runContent serves until ctx ends.
func runContent(ctx context.Context, c contentConfig, stdout io.Writer, log *slog.Logger) error {
	if err := c.SetUp(); err != nil {
		return err
	}
	content, err := newContent(&c)
	if err != nil {
		return err
	}
	services, where, err := c.Open(ctx, content.handler())
	if err != nil {
		return err
	}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "listen", where.Listen, "ads", c.world.Topics*c.world.Ads)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return content.republish(ctx, c.republish) })
	group.Go(func() error { return serve.Serve(ctx, log, c.Drain, func() {}, services...) })
	return group.Wait()
}

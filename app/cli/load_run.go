package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/load"
)

// runLoad sends a job's load and prints the result, also if it was interrupted or failed on the way.
func runLoad(ctx context.Context, job *loadJob, out *loadOutput) error {
	if err := errors.Join(out.check(), out.checkWindows(job)); err != nil {
		return err
	}
	file := load.NewFile(time.Now(), job.plan)
	var keepErr error
	cfg := job.config
	cfg.Window = out.window
	cfg.OnWindow = func(w load.Window) {
		out.progress(w, cfg.Duration)
		if out.keeps() && keepErr == nil {
			keepErr = file.Add(w)
		}
	}
	command.InOrder(ctx)
	res, err := load.Run(ctx, cfg)
	out.endProgress()
	interrupted := errors.Is(err, context.Canceled) && ctx.Err() != nil
	if err != nil && res.Sent == 0 && !interrupted {
		return loadError(err)
	}
	finishErr := file.Finish(res)
	switch {
	case interrupted:
		file.Ended = "interrupted"
	case err != nil:
		file.Ended = err.Error()
	}
	if err := errors.Join(keepErr, finishErr, out.write(file)); err != nil {
		return err
	}
	switch {
	case interrupted:
		return command.ExitError(command.ExitInterrupted)
	case err != nil:
		return loadError(err)
	case res.Ended != "" || res.OK == 0:
		return command.ErrFindings
	}
	return nil
}

// loadError adds the flag to an error of package load about a field.
func loadError(err error) error {
	if errors.Is(err, load.ErrNotLoopback) {
		return fmt.Errorf("%w: --allow HOST", err)
	}
	return err
}

// write prints the result and keeps it.
func (o *loadOutput) write(f *load.File) error {
	if o.file != "" {
		if err := f.Save(o.file); err != nil {
			return err
		}
	}
	if o.html != "" {
		if err := o.writeHTML(f); err != nil {
			return err
		}
	}
	if o.json {
		return writeJSON(o.stdout, f.Brief())
	}
	printLoad(o.stdout, f, o.file)
	return nil
}

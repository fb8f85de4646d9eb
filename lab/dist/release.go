package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A release is what is made of one checkout.
type release struct {
	checkout *checkout
	dir      string // for the files that people download
	out      io.Writer
	cache    string // the build cache; "" is the user's

	texts []file // manual pages and completions
}

// binary is where the program of a target is kept until all is packed.
func (r *release) binary(t target) string {
	return filepath.Join(r.checkout.dir+"-programs", t.os+"-"+t.arch, t.exe())
}

// make builds the program for each target and packs it.
func (r *release) make(ctx context.Context, targets []target) error {
	if err := r.describe(ctx); err != nil {
		return err
	}
	var images []packed
	for _, t := range targets {
		b, err := r.checkout.build(ctx, t, r.binary(t), r.cache)
		if err != nil {
			return err
		}
		p, err := r.pack(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if t.os == "linux" {
			images = append(images, p)
		}
	}
	if len(images) > 0 {
		if err := r.image(images); err != nil {
			return fmt.Errorf("the container image: %w", err)
		}
	}
	return writeSums(r.dir)
}

// A packed program is one with all that goes beside it, below a prefix such as /usr/local.
type packed struct {
	*built
	files []file
}

// pack writes the files of one target: its archive, its SBOM, and on Linux its Debian package.
func (r *release) pack(ctx context.Context, b *built) (packed, error) {
	p := packed{built: b}
	parts, err := r.checkout.parts(ctx, b)
	if err != nil {
		return p, err
	}
	bill, err := sbom(r.checkout, b, parts)
	if err != nil {
		return p, err
	}
	notices, err := notices(parts)
	if err != nil {
		return p, err
	}
	p.files, err = r.layout(b, bill, notices)
	if err != nil {
		return p, err
	}
	if err := os.WriteFile(filepath.Join(r.dir, b.name(r.checkout.version)+".spdx.json"), bill, 0o644); err != nil {
		return p, err
	}
	write := []func(packed) (string, error){r.archive}
	if b.os == "linux" {
		write = append(write, r.debian)
	}
	for _, f := range write {
		name, err := f(p)
		if err != nil {
			return p, err
		}
		if err := r.tell(name, fmt.Sprintf("%s, %d modules, built in %.0f s", b.target, len(b.info.Deps),
			b.took.Seconds())); err != nil {
			return p, err
		}
	}
	return p, nil
}

// tell prints a line on a file that was made.
func (r *release) tell(name, about string) error {
	info, err := os.Stat(filepath.Join(r.dir, name))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.out, "%-46s %6.2f MB  %s\n", name, float64(info.Size())/1e6, about)
	return err
}

// create calls write with a new file of the release.
func (r *release) create(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(r.dir, name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

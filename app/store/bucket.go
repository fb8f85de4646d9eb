package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/gocasebook/casebook/app/store/driver"
)

// A bucket keeps blobs as objects of S3's protocol: prefix/ab/cdef…-STAMP.
type bucket struct {
	objects      driver.Objects
	name, prefix string
}

// openBucket reads s3://bucket/prefix?endpoint=https://host&region=eu-1. Without an endpoint it is Amazon's.
func openBucket(ctx context.Context, u *url.URL) (*bucket, error) {
	if u.User != nil {
		return nil, errors.New("keys do not belong into the address of a bucket; " +
			"set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	if u.Host == "" {
		return nil, errors.New("no bucket is named; the form is s3://bucket/prefix?endpoint=URL")
	}
	options := u.Query()
	end := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	if text := options.Get("endpoint"); text != "" {
		var err error
		if end, err = url.Parse(text); err != nil || end.Host == "" || end.Scheme != "http" && end.Scheme != "https" {
			return nil, errors.New("the endpoint of the bucket must be a URL, such as https://minio.example:9000")
		}
	}
	linked := driver.Linked()
	if linked == nil {
		return nil, errNoDrivers
	}
	objects, err := linked.OpenBucket(driver.Bucket{Host: end.Host, Name: u.Host, Region: options.Get("region"),
		Encrypted: end.Scheme == "https"})
	if err != nil {
		return nil, err
	}
	b := &bucket{objects, u.Host, strings.Trim(u.Path, "/")}
	if err := b.ping(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *bucket) key(name string) string { return path.Join(b.prefix, name[:2], name[2:]) }

func (b *bucket) put(ctx context.Context, name string, size int64, fill func(io.Writer) error) error {
	if !validBlobName(name) {
		return errSum
	}
	r, w := io.Pipe()
	filled := make(chan error, 1)
	go func() {
		err := fill(w)
		filled <- err
		_ = w.CloseWithError(err) // an object that is cut short is not kept: its length was announced
	}()
	err := b.objects.Put(ctx, b.key(name), r, size)
	_ = r.CloseWithError(errors.New("the bucket took no more")) // ends fill if it still writes
	wrong := <-filled
	switch {
	case err == nil:
		return wrong
	case wrong != nil && !errors.Is(wrong, io.ErrClosedPipe) && errors.Is(err, wrong):
		return wrong
	}
	return err
}

// sync has nothing to do: an object is durable when its PUT is answered.
func (b *bucket) sync(context.Context) error { return nil }

func (b *bucket) open(ctx context.Context, name string, size int64) (Blob, error) {
	if !validBlobName(name) {
		return nil, errSum
	}
	c, has, err := b.objects.Open(ctx, b.key(name))
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, fmt.Errorf("its blob is missing (%w): `casebook store check` lists what is", ErrNotFound)
	case err != nil:
		return nil, err
	case has != size:
		err = fmt.Errorf("its blob has %d bytes, and had %d: it was changed", has, size)
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (b *bucket) remove(ctx context.Context, name string) error {
	if !validBlobName(name) {
		return errSum
	}
	return b.objects.Remove(ctx, b.key(name))
}

func (b *bucket) walk(ctx context.Context, fn func(blobInfo) error) error {
	prefix := b.prefix
	if prefix != "" {
		prefix += "/"
	}
	for o, err := range b.objects.List(ctx, prefix) {
		if err != nil {
			return err
		}
		sum, stamp, ok := readBlobName(strings.ReplaceAll(strings.TrimPrefix(o.Key, prefix), "/", ""))
		if !ok {
			continue
		}
		if err := fn(blobInfo{sum, stamp, o.Size}); err != nil {
			return err
		}
	}
	return nil
}

func (b *bucket) ping(ctx context.Context) error {
	found, err := b.objects.Exists(ctx)
	if err == nil && !found {
		return fmt.Errorf("there is no bucket %q", b.name)
	}
	return err
}

func (b *bucket) close() error { return nil }

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// A bucket keeps blobs as objects of S3's protocol: prefix/ab/cdef…-STAMP.
type bucket struct {
	client       *minio.Client
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
	client, err := minio.New(end.Host, &minio.Options{Creds: bucketKeys(), Secure: end.Scheme == "https",
		Region: options.Get("region"), MaxRetries: 3})
	if err != nil {
		return nil, err
	}
	b := &bucket{client, u.Host, strings.Trim(u.Path, "/")}
	if err := b.ping(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

// bucketKeys come from the environment, or from the machine's role.
func bucketKeys() *credentials.Credentials {
	if os.Getenv("AWS_ACCESS_KEY_ID") != "" {
		return credentials.NewEnvAWS()
	}
	return credentials.NewIAM("")
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
	_, err := b.client.PutObject(ctx, b.name, b.key(name), r, size,
		minio.PutObjectOptions{ContentType: "application/octet-stream", SendContentMd5: true})
	_ = r.CloseWithError(errors.New("the bucket took no more")) // ends fill if it still writes
	wrong := <-filled
	switch {
	case err == nil:
		return wrong
	case wrong != nil && !errors.Is(wrong, io.ErrClosedPipe) && errors.Is(err, wrong):
		return wrong
	}
	return b.explain(err)
}

// sync has nothing to do: an object is durable when its PUT is answered.
func (b *bucket) sync(context.Context) error { return nil }

func (b *bucket) open(ctx context.Context, name string, size int64) (Blob, error) {
	if !validBlobName(name) {
		return nil, errSum
	}
	o, err := b.client.GetObject(ctx, b.name, b.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, b.explain(err)
	}
	info, err := o.Stat()
	switch err = b.explain(err); {
	case errors.Is(err, ErrNotFound):
		err = fmt.Errorf("its blob is missing (%w): `casebook store check` lists what is", ErrNotFound)
	case err == nil && info.Size != size:
		err = fmt.Errorf("its blob has %d bytes, and had %d: it was changed", info.Size, size)
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

func (b *bucket) remove(ctx context.Context, name string) error {
	if !validBlobName(name) {
		return errSum
	}
	return b.explain(b.client.RemoveObject(ctx, b.name, b.key(name), minio.RemoveObjectOptions{}))
}

func (b *bucket) walk(ctx context.Context, fn func(blobInfo) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing
	prefix := b.prefix
	if prefix != "" {
		prefix += "/"
	}
	for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return b.explain(o.Err)
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
	found, err := b.client.BucketExists(ctx, b.name)
	if err == nil && !found {
		return fmt.Errorf("there is no bucket %q", b.name)
	}
	return b.explain(err)
}

func (b *bucket) close() error { return nil }

// explain names errors of S3's protocol, and those of the network.
func (b *bucket) explain(err error) error {
	if err == nil {
		return nil
	}
	var answer minio.ErrorResponse
	if errors.As(err, &answer) {
		switch {
		case answer.Code == minio.NoSuchKey:
			return ErrNotFound
		case answer.StatusCode == http.StatusInsufficientStorage:
			return fmt.Errorf("%w: %w", ErrFull, err)
		case answer.StatusCode >= 500, answer.StatusCode == http.StatusTooManyRequests:
			return fmt.Errorf("%w: the bucket: %w", ErrUnavailable, err)
		}
		return err
	}
	var network *net.OpError
	var request *url.Error
	if errors.As(err, &network) || errors.As(err, &request) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the bucket: %w", ErrUnavailable, err)
	}
	return err
}

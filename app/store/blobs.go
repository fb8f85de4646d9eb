package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// blobs keep content by a name that blobName makes. What a put wrote is durable after the next sync.
type blobs interface {
	// put keeps what fill writes, in the place of what is there. fill says itself whether that is what the name promises;
	// if it fails, nothing is kept.
	put(ctx context.Context, name string, size int64, fill func(io.Writer) error) error
	sync(ctx context.Context) error
	open(ctx context.Context, name string, size int64) (Blob, error)
	remove(ctx context.Context, name string) error
	// walk calls fn for each blob, in no order, until fn fails.
	walk(ctx context.Context, fn func(blobInfo) error) error
	ping(ctx context.Context) error
	close() error
}

type blobInfo struct {
	sum   string
	stamp int64
	size  int64
}

func (b blobInfo) name() string { return blobName(b.sum, b.stamp) }

// openBlobs reads the form that Config.Blobs has.
func openBlobs(ctx context.Context, where string) (blobs, error) {
	switch {
	case where == "":
		return nil, errors.New("no folder and no bucket is named; name a folder, or s3://bucket/prefix?endpoint=URL")
	case strings.HasPrefix(where, "s3://"):
		u, err := url.Parse(where)
		if err != nil {
			return nil, errors.New("the address of the bucket cannot be read; its form is s3://bucket/prefix?endpoint=URL")
		}
		return openBucket(ctx, u)
	case strings.Contains(where, "://"):
		scheme, _, _ := strings.Cut(where, "://")
		return nil, fmt.Errorf("blobs are kept in a folder or in s3://…, not in %.20s://", scheme)
	}
	return openFolder(where)
}

// validSum reports whether sum is 64 hexadecimal digits: safe in a path and in a key.
func validSum(sum string) bool { return len(sum) == 64 && strings.Trim(sum, "0123456789abcdef") == "" }

func validBlobName(name string) bool {
	_, _, ok := readBlobName(name)
	return ok
}

var errSum = fmt.Errorf("%w: a blob is named by 64 hexadecimal digits", ErrInvalid)

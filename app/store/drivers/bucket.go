package drivers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/gocasebook/casebook/app/store/driver"
)

// A bucket is spoken to with MinIO's client.
type bucket struct {
	client *minio.Client
	name   string
}

func openBucket(b driver.Bucket) (driver.Objects, error) {
	client, err := minio.New(b.Host, &minio.Options{Creds: bucketKeys(), Secure: b.Encrypted, Region: b.Region,
		MaxRetries: 3})
	if err != nil {
		return nil, err
	}
	return &bucket{client, b.Name}, nil
}

// bucketKeys come from the environment, or from the machine's role.
func bucketKeys() *credentials.Credentials {
	if os.Getenv("AWS_ACCESS_KEY_ID") != "" {
		return credentials.NewEnvAWS()
	}
	return credentials.NewIAM("")
}

func (b *bucket) Exists(ctx context.Context) (bool, error) {
	found, err := b.client.BucketExists(ctx, b.name)
	return found, explainS3(err)
}

func (b *bucket) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	_, err := b.client.PutObject(ctx, b.name, key, r, size,
		minio.PutObjectOptions{ContentType: "application/octet-stream", SendContentMd5: true})
	return explainS3(err)
}

func (b *bucket) Open(ctx context.Context, key string) (driver.Content, int64, error) {
	o, err := b.client.GetObject(ctx, b.name, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, 0, explainS3(err)
	}
	info, err := o.Stat()
	if err != nil {
		return nil, 0, errors.Join(explainS3(err), o.Close())
	}
	return o, info.Size, nil
}

func (b *bucket) Remove(ctx context.Context, key string) error {
	return explainS3(b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{}))
}

func (b *bucket) List(ctx context.Context, prefix string) iter.Seq2[driver.Object, error] {
	return func(yield func(driver.Object, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // ends the listing
		for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if !yield(driver.Object{Key: o.Key, Size: o.Size}, explainS3(o.Err)) {
				return
			}
		}
	}
}

// explainS3 names errors of S3's protocol, and those of the network.
func explainS3(err error) error {
	if err == nil {
		return nil
	}
	var answer minio.ErrorResponse
	if errors.As(err, &answer) {
		switch {
		case answer.Code == minio.NoSuchKey:
			return driver.ErrNotFound
		case answer.StatusCode == http.StatusInsufficientStorage:
			return fmt.Errorf("%w: %w", driver.ErrFull, err)
		case answer.StatusCode >= 500, answer.StatusCode == http.StatusTooManyRequests:
			return fmt.Errorf("%w: the bucket: %w", driver.ErrUnavailable, err)
		}
		return err
	}
	var network *net.OpError
	var request *url.Error
	if errors.As(err, &network) || errors.As(err, &request) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the bucket: %w", driver.ErrUnavailable, err)
	}
	return err
}

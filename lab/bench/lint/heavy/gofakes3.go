package heavy

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
)

// gofakes3 keeps objects as S3 does, in memory: they are put, read in whole and in parts, listed by folder, copied,
// uploaded in parts and deleted, one by one and together.
func gofakes3() Service {
	return Service{
		Name: "gofakes3", Module: "github.com/johannesboyne/gofakes3", Version: "v1.2.0", Main: "cmd/gofakes3", Unseen: true,
		Args: []string{"-host", "127.0.0.1:{port}", "-backend", "memory", "-initialbucket", "media", "-quiet"},
		Load: loadGofakes3,
	}
}

const s3Folders, s3Files = 40, 60

func s3Key(r *rand.Rand) string {
	return fmt.Sprintf("/media/folder-%d/file-%d.txt", r.IntN(s3Folders), r.IntN(s3Files))
}

func loadGofakes3(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	r := rand.New(rand.NewPCG(1, 67))
	for folder := range s3Folders {
		for file := range s3Files {
			q := s3Put(r, fmt.Sprintf("/media/folder-%d/file-%d.txt", folder, file))
			if status, got, err := send(ctx, http.DefaultClient, base, q); err != nil || status != http.StatusOK {
				return fmt.Errorf("gofakes3: %d: %s: %w", status, got, err)
			}
		}
	}
	clients := times(8, browser(on, base, s3Request))
	clients = append(clients, times(1, func(ctx context.Context, i int) error { return s3Uploader(ctx, on, i) })...)
	return together(ctx, clients...)
}

func s3Put(r *rand.Rand, path string) request {
	body := strings.Repeat(text(r, 100), 1+r.IntN(30))
	sum := md5.Sum([]byte(body))
	return request{method: http.MethodPut, path: path, body: body, header: map[string]string{
		"Content-Type": "text/plain", "Content-MD5": base64.StdEncoding.EncodeToString(sum[:]),
		"X-Amz-Meta-Owner": fmt.Sprintf("team-%d", r.IntN(20)), "X-Amz-Acl": "private"}}
}

// s3Request is mostly a read.
func s3Request(r *rand.Rand) request {
	switch r.IntN(16) {
	case 0, 1, 2:
		return s3Put(r, s3Key(r))
	case 3:
		return request{method: http.MethodHead, path: s3Key(r)}
	case 4, 5:
		return get(fmt.Sprintf("/media?list-type=2&max-keys=100&prefix=folder-%d%%2F", r.IntN(s3Folders)))
	case 6:
		return get("/media?list-type=2&delimiter=%2F")
	case 7:
		return request{method: http.MethodPut, path: fmt.Sprintf("/media/copies/%d", r.IntN(200)),
			header: map[string]string{"X-Amz-Copy-Source": s3Key(r)}}
	case 8:
		return request{method: http.MethodDelete, path: fmt.Sprintf("/media/copies/%d", r.IntN(200))}
	case 9:
		var b strings.Builder
		b.WriteString("<Delete><Quiet>true</Quiet>")
		for range 20 {
			fmt.Fprintf(&b, "<Object><Key>copies/%d</Key></Object>", r.IntN(200))
		}
		b.WriteString("</Delete>")
		return request{method: http.MethodPost, path: "/media?delete", body: b.String()}
	case 10:
		return request{method: http.MethodGet, path: s3Key(r), header: map[string]string{"Range": "bytes=100-499"}}
	}
	return get(s3Key(r))
}

var (
	s3UploadID = regexp.MustCompile(`<UploadId>([^<]*)<`)
	s3PartSize = 256 << 10
)

// s3Uploader uploads in three parts.
func s3Uploader(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 71))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	part := strings.Repeat("a part of an upload ", s3PartSize/20)
	ask := func(method, path, body string) string {
		status, got, err := send(ctx, client, "http://"+on.Addr, request{method: method, path: path, body: body})
		if ctx.Err() == nil {
			on.Seen.Is(err == nil && status == http.StatusOK)
		}
		return string(got)
	}
	etag := fmt.Sprintf("%x", md5.Sum([]byte(part)))
	for ctx.Err() == nil {
		path := fmt.Sprintf("/media/uploads/%d", r.IntN(20))
		id := s3UploadID.FindStringSubmatch(ask(http.MethodPost, path+"?uploads", ""))
		if id == nil {
			continue
		}
		var b strings.Builder
		b.WriteString("<CompleteMultipartUpload>")
		for k := 1; k <= 3; k++ {
			ask(http.MethodPut, fmt.Sprintf("%s?partNumber=%d&uploadId=%s", path, k, id[1]), part)
			fmt.Fprintf(&b, "<Part><PartNumber>%d</PartNumber><ETag>\"%s\"</ETag></Part>", k, etag)
		}
		b.WriteString("</CompleteMultipartUpload>")
		ask(http.MethodPost, path+"?uploadId="+id[1], b.String())
	}
	return nil
}

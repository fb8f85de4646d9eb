package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// whole reports whether `make attack` runs: everything has its full size then, and others are answered within a second.
func whole() bool { return os.Getenv("CASEBOOK_ATTACK") != "" }

// from is a client with an address of its own on this machine: Linux has all of 127.0.0.0/8.
func from(ip string) *http.Client {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	return &http.Client{Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}, Timeout: patience}
}

func (lv *live) dialFrom(t *testing.T, ip string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(lv.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func (lv *live) token(t *testing.T, name string, role store.Role) string {
	t.Helper()
	token, err := lv.store.CreateToken(t.Context(), name, role)
	if err != nil {
		t.Fatal(err)
	}
	return "Bearer " + token
}

// part is a request with some bytes of a zip.
func (lv *live) part(t *testing.T, token, id string, zip []byte, at, to, size int) *http.Request {
	t.Helper()
	sum := sha256.Sum256(zip)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, lv.url+"/api/v1/cases/"+id+"/uploads/"+
		hex.EncodeToString(sum[:]), bytes.NewReader(zip[at:to]))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(offsetHeader, fmt.Sprint(at))
	req.Header.Set(lengthHeader, fmt.Sprint(size))
	req.Header.Set("Authorization", token)
	return req
}

// scratchBytes is what the scratch folder takes, files without a name included.
func scratchBytes(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			bytes += info.Size()
		}
	}
	open, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range open {
		at, err := os.Readlink(fd)
		if info, gone := os.Stat(fd); err == nil && gone == nil && strings.HasPrefix(at, dir) &&
			strings.HasSuffix(at, "(deleted)") {
			bytes += info.Size()
		}
	}
	return bytes
}

// speak asks /healthz again and again on one connection, until ctx ends or the server has enough of it.
func speak(ctx context.Context, c net.Conn, asked *atomic.Int64) {
	r := bufio.NewReader(c)
	for ctx.Err() == nil {
		if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); err != nil {
			return
		}
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		asked.Add(1)
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Second):
		}
	}
}

// One address has as many connections as the server takes, and asks on each; one sender begins as many uploads as there
// may be; readers of zips take nothing. All others read and upload as if they were alone.
func TestAttackTogether(t *testing.T) {
	t.Parallel() // it mostly waits: for stallTime
	conns, readers, size := connections(t), 5, 8<<20
	if whole() {
		readers, size = 25, 40<<20
	}
	lv := goLive(t, func(*Config) {})
	viewer, greedy, watch := lv.token(t, "viewer", store.Viewer), lv.token(t, "greedy", store.Uploader),
		lv.token(t, "watch", store.Uploader)
	large, zip := newUploadOf(t, size)
	if _, err := lv.store.Put(t.Context(), store.Upload{Body: bytes.NewReader(zip)}); err != nil {
		t.Fatal(err)
	}

	ctx, leave := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	defer crowd.Wait()
	defer leave()
	var connected, asked atomic.Int64
	for range conns {
		crowd.Go(func() {
			d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
			c, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(lv.url, "http://"))
			if err != nil {
				return
			}
			defer c.Close()
			connected.Add(1)
			speak(ctx, c, &asked)
		})
	}
	await(t, "as many connections as the server takes", func() bool { return connected.Load() >= maxConns })
	for range readers {
		c := lv.dialFrom(t, "127.0.0.4")
		if err := c.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		_, err := fmt.Fprintf(c, "GET /api/v1/cases/%s/zip HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: %s\r\n\r\n",
			large.ID, viewer)
		if err != nil {
			t.Fatal(err)
		}
	}
	sender := from("127.0.0.3")
	for range 64 {
		resp, err := sender.Do(lv.part(t, greedy, casefile.NewID(time.Now(), "gc-cpu"), []byte("x"), 0, 1, 1000))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}

	var slowest time.Duration
	other := from("127.0.0.5")
	ask := func(req *http.Request, want int) {
		t.Helper()
		began := time.Now()
		resp, err := other.Do(req)
		if err != nil {
			t.Fatalf("another's request is not answered: %v", err)
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Fatalf("another's request is answered %s: %s", resp.Status, text)
		}
		if req.Method == http.MethodGet {
			slowest = max(slowest, time.Since(began))
		}
	}
	c, packed := newUploadOf(t, size)
	most, before := int64(0), scratchBytes(t, filepath.Join(lv.dir, "scratch"))
	for at := 0; at < len(packed); {
		to := min(at+1<<20, len(packed))
		code := http.StatusAccepted
		if to == len(packed) {
			code = http.StatusCreated
		}
		ask(lv.part(t, watch, c.ID, packed, at, to, len(packed)), code)
		at = to
		most = max(most, scratchBytes(t, filepath.Join(lv.dir, "scratch")))
		for _, path := range []string{"/readyz", "/api/v1/cases"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, lv.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", viewer)
			ask(req, http.StatusOK)
		}
	}
	if before > 64 || float64(most) > 1.2*float64(len(packed)) {
		t.Errorf("the scratch folder had %d bytes before an upload of %d, and %d at most", before, len(packed), most)
	}
	if whole() && slowest > time.Second {
		t.Errorf("others waited %s for an answer, want a second at most", slowest)
	}
	await(t, "readers who take nothing to be cut off", func() bool {
		return strings.Count(lv.log.String(), "a zip is cut short") >= readers
	})
	t.Logf("attack: %d connections of one address that asked %d times, 64 parts of one sender, %d readers of %d MB who "+
		"take nothing: others answered within %s, scratch at most %.2f × what was uploaded", connected.Load(), asked.Load(),
		readers, size>>20, slowest.Round(time.Millisecond), float64(most)/float64(len(packed)))
}

// newUploadOf is a large case, and its zip.
func newUploadOf(t *testing.T, size int) (casefile.Case, []byte) {
	t.Helper()
	f := largeCase(t, size)
	var zip bytes.Buffer
	if err := casefile.Export(f, &zip); err != nil {
		t.Fatal(err)
	}
	return f.Case, zip.Bytes()
}

// A client that writes all of its body before it reads sees why it is refused.
func TestRefusedBodyIsHeard(t *testing.T) {
	lv := goLive(t, func(*Config) {})
	token := lv.token(t, "watch", store.Uploader)
	const size = 24 << 20
	path := "/api/v1/cases/" + casefile.NewID(time.Now(), "gc-cpu")
	sum := strings.Repeat("ab", 32)
	for _, c := range []struct{ name, line, header, code string }{
		{"no token", "PUT " + path, "", "401"},
		{"no such offset", "PATCH " + path + "/uploads/" + sum, "Authorization: " + token + "\r\nUpload-Offset: 5\r\n" +
			fmt.Sprintf("Upload-Length: %d\r\n", 2*size), "409"},
		{"no zip", "PUT " + path, "Authorization: " + token + "\r\nContent-Digest: sha-256=:no:\r\n", "400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := lv.dialFrom(t, "127.0.0.3")
			if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			_, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: 127.0.0.1\r\n%sContent-Length: %d\r\n\r\n", c.line, c.header, size)
			if err == nil {
				_, err = io.CopyN(conn, emptiness{}, size)
			}
			if err != nil {
				t.Fatalf("sending all of the body: %v", err)
			}
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatalf("the answer is lost: %v", err)
			}
			text, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if !strings.HasPrefix(resp.Status, c.code) || !resp.Close || err != nil || !bytes.Contains(text, []byte(c.code)) {
				t.Errorf("answered %s, to be closed %t: %s, %v; want %s", resp.Status, resp.Close, text, err, c.code)
			}
		})
	}
}

type emptiness struct{}

func (emptiness) Read(p []byte) (int, error) { return len(p), nil }

// What is too large in a way that no time helps does not hold the connection: it is read for a while only.
func TestRefusedBodyEnds(t *testing.T) {
	lv := goLive(t, func(*Config) {})
	conn := lv.dialFrom(t, "127.0.0.3")
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	_, err := fmt.Fprintf(conn, "PUT /api/v1/cases/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n", int64(1)<<40)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(conn, emptiness{})
	if err == nil || os.IsTimeout(err) || n > 4*mostUnheard {
		t.Errorf("%d bytes were taken of a body that was refused: %v", n, err)
	}
	if !strings.Contains(err.Error(), syscall.EPIPE.Error()) && !strings.Contains(err.Error(), syscall.ECONNRESET.Error()) {
		t.Errorf("it ended by %v, want a connection that the server closed", err)
	}
}

// A zip of a case whose evidence was damaged ends before its end: nobody takes it for whole.
func TestDamagedZipIsCutShort(t *testing.T) {
	lv := goLive(t, func(*Config) {})
	c, zip := newUploadOf(t, 1<<20)
	if _, err := lv.store.Put(t.Context(), store.Upload{Body: bytes.NewReader(zip)}); err != nil {
		t.Fatal(err)
	}
	sum := c.Evidence[0].SHA256
	blobs, err := filepath.Glob(filepath.Join(lv.dir, "blobs", sum[:2], sum[2:]+"*"))
	if err != nil || len(blobs) != 1 {
		t.Fatalf("blobs of %s: %v, %v; want one", sum, blobs, err)
	}
	blob, err := os.OpenFile(blobs[0], os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blob.WriteAt([]byte("x"), 1<<19); err != nil {
		t.Fatal(err)
	}
	if err := blob.Close(); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, lv.url+"/api/v1/cases/"+c.ID+"/zip", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", lv.token(t, "viewer", store.Viewer))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); err == nil {
		t.Errorf("all of it came, %d bytes, with %s", n, resp.Status)
	}
	if left := scratchBytes(t, filepath.Join(lv.dir, "scratch")); left != 0 {
		t.Errorf("the scratch folder has %d bytes", left)
	}
}

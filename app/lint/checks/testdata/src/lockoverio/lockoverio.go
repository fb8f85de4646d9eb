package lockoverio

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
)

type cache struct {
	sync.Mutex
	rw   sync.RWMutex
	m    map[string]string
	db   *sql.DB
	c    *http.Client
	out  chan string
	wide chan string
	done chan struct{}
	f    *os.File
	conn net.Conn
	wg   sync.WaitGroup
}

func newCache() *cache {
	return &cache{out: make(chan string), wide: make(chan string, 8), done: make(chan struct{})}
}

func (c *cache) get(key string) (*http.Response, error) {
	c.Lock()
	defer c.Unlock()
	if _, ok := c.m[key]; ok {
		return nil, nil
	}
	return c.c.Get("http://" + key) // want `waits for an HTTP response while c is held`
}

func (c *cache) query() {
	c.rw.RLock()
	rows, err := c.db.Query("SELECT 1") // want `waits for the database while c.rw is held`
	if err != nil {
		c.rw.RUnlock()
		return
	}
	rows.Close()
	c.rw.RUnlock()
	time.Sleep(time.Second)
}

func (c *cache) early(fail bool) {
	c.Lock()
	if fail {
		c.Unlock()
		time.Sleep(time.Second)
		return
	}
	time.Sleep(time.Second) // want `sleeps while c is held`
	c.Unlock()
}

func (c *cache) sends(s string) {
	c.Lock()
	c.out <- s // want `sends on a channel without a buffer while c is held`
	c.wide <- s
	c.Unlock()
}

func (c *cache) waitsForAll() {
	c.Lock()
	defer c.Unlock()
	<-c.done    // want `receives from a channel while c is held`
	c.wg.Wait() // want `waits for goroutines while c is held`
	select {    // want `waits in a select while c is held`
	case <-c.done:
	case <-c.out:
	}
	for range c.out { // want `ranges over a channel while c is held`
	}
}

func (c *cache) flush() error { return c.f.Sync() }

func (c *cache) close() error {
	c.Lock()
	defer c.Unlock()
	return c.flush() // want `calls flush, which waits for the disk, while c is held`
}

func (c *cache) loops(keys []string) {
	c.Lock()
	for range keys {
		net.LookupHost("example.org") // want `asks DNS while c is held`
	}
	c.Unlock()
}

type stub struct{}
type reply struct{}

func (stub) Call(ctx context.Context, in *reply, opts ...grpc.CallOption) (*reply, error) {
	return nil, nil
}

func (c *cache) rpc(ctx context.Context, s stub) {
	c.Lock()
	s.Call(ctx, nil) // want `waits for a gRPC response while c is held`
	c.Unlock()
}

// What follows is fine.

func (c *cache) unlocked(key string) {
	c.Lock()
	_, ok := c.m[key]
	c.Unlock()
	if !ok {
		c.c.Get("http://" + key)
	}
}

func (c *cache) between() {
	c.Lock()
	for len(c.m) == 0 {
		c.Unlock()
		time.Sleep(time.Second)
		c.Lock()
	}
	c.Unlock()
}

func (c *cache) background() {
	c.Lock()
	defer c.Unlock()
	go func() { time.Sleep(time.Second) }()
	time.AfterFunc(time.Second, func() { c.c.Get("http://example.org") })
	select {
	case c.out <- "":
	default:
	}
	c.conn.Write([]byte("x"))
	c.f.Write([]byte("x"))
}

func (c *cache) sometimes(deep bool) {
	if deep {
		c.f.Sync()
	}
}

func (c *cache) callsSometimes() {
	c.Lock()
	defer c.Unlock()
	c.sometimes(false)
}

func (c *cache) releasing() {
	c.Unlock()
	time.Sleep(time.Second)
	c.Lock()
}

func (c *cache) callsReleasing() {
	c.Lock()
	defer c.Unlock()
	c.releasing()
}

func (c *cache) timer(t *time.Timer) {
	c.Lock()
	defer c.Unlock()
	if !t.Stop() {
		<-t.C
	}
}

func (c *cache) try() {
	if c.TryLock() {
		c.m["a"] = "b"
		c.Unlock()
	}
	time.Sleep(time.Second)
}

func (c *cache) Stop() {
	c.Lock()
	defer c.Unlock()
	<-c.done
	c.wg.Wait()
}

func (c *cache) clearsUp(name string) error {
	c.Lock()
	defer c.Unlock()
	if _, err := c.f.Write(nil); err != nil {
		os.RemoveAll(name)
		return err
	}
	return nil
}

func (c *cache) gate(ctx context.Context) {
	c.Lock()
	<-ctx.Done()
	c.Unlock()
}

func restoreState(c *cache) {
	c.Lock()
	defer c.Unlock()
	os.ReadFile("state")
}

func (c *cache) atOnce() {
	func() {
		c.Lock()
		defer c.Unlock()
		c.c.Get("http://localhost") // want `waits for an HTTP response while c is held`
	}()
	go func() {
		c.Lock()
		c.c.Get("http://localhost") // want `waits for an HTTP response while c is held`
		c.Unlock()
	}()
	c.c.Get("http://localhost")
}

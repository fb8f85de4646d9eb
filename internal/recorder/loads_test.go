package recorder

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// A testLoad is something that a service does again and again. start prepares it, and the func that start returns does
// it once. A load that idles does so for a stretch of time.
type testLoad struct {
	name  string
	start func(tb testing.TB) func()
}

// testLoads are pure loads, with one kind of event each, and loads like those of applications.
var testLoads = []testLoad{
	{"idle", func(testing.TB) func() { return func() { time.Sleep(100 * time.Millisecond) } }},
	{"parked=20k", parked(20_000)},
	{"pingpong", pingPong},
	{"fanout", fanOut},
	{"read", reads},
	{"allocate", allocate},
	{"timers", timers},
	{"hello", serving(hello)},
	{"json", serving(jsonHandler)},
}

// parked has n goroutines that wait for nothing.
func parked(n int) func(testing.TB) func() {
	return func(tb testing.TB) func() {
		var all sync.WaitGroup
		release := make(chan struct{})
		for range n {
			all.Go(func() { <-release })
		}
		tb.Cleanup(func() { close(release); all.Wait() })
		return func() { time.Sleep(100 * time.Millisecond) }
	}
}

// pingPong hands a token to another goroutine and back.
func pingPong(tb testing.TB) func() {
	ping, pong := make(chan struct{}), make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		for range ping {
			pong <- struct{}{}
		}
	})
	tb.Cleanup(func() { close(ping); other.Wait() })
	return func() { ping <- struct{}{}; <-pong }
}

// spawn starts a goroutine and waits until it ends.
func spawn(testing.TB) func() {
	return func() {
		var one sync.WaitGroup
		one.Go(func() {})
		one.Wait()
	}
}

// fanOut does a little work in each of ten goroutines.
func fanOut(testing.TB) func() {
	return func() {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { runtime.KeepAlive(burn(1000)) })
		}
		all.Wait()
	}
}

func reads(tb testing.TB) func() {
	name := filepath.Join(tb.TempDir(), "file")
	if err := os.WriteFile(name, make([]byte, 4096), 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	buf := make([]byte, 512)
	return func() { f.ReadAt(buf, 0) }
}

// allocate makes garbage of all sizes up to 2 KB.
func allocate(testing.TB) func() {
	var keep [512][]byte
	i := 0
	return func() { i++; keep[i%512] = make([]byte, i%2048) }
}

// timers has 100 goroutines that sleep.
func timers(testing.TB) func() {
	return func() {
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				for range 10 {
					time.Sleep(time.Millisecond)
				}
			})
		}
		all.Wait()
	}
}

// serving asks a handler over a real keep-alive connection.
func serving(h http.HandlerFunc) func(testing.TB) func() {
	return func(tb testing.TB) func() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		srv := &http.Server{Handler: h}
		var serving sync.WaitGroup
		serving.Go(func() { srv.Serve(l) })
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { conn.Close(); srv.Shutdown(context.Background()); serving.Wait() })
		in := bufio.NewReader(conn)
		return func() {
			fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				tb.Error(err)
				runtime.Goexit()
			}
			io.Copy(io.Discard, resp.Body)
		}
	}
}

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

// jsonHandler decodes and encodes 2 KB.
func jsonHandler(w http.ResponseWriter, _ *http.Request) {
	type item struct {
		Name  string
		Price float64
		Tags  []string
	}
	items := make([]item, 20)
	for i := range items {
		items[i] = item{fmt.Sprint("item ", i), float64(i) * 1.1, []string{"a", "b"}}
	}
	data, _ := json.Marshal(items)
	items = nil
	json.Unmarshal(data, &items)
	json.NewEncoder(w).Encode(items)
}

func burn(n int) (sum int) {
	for i := range n {
		sum += i * i
	}
	return sum
}

// burning keeps n goroutines busy until stop is called.
func burning(n int) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{}, n)
	for range n {
		go func() {
			for {
				select {
				case <-quit:
					ended <- struct{}{}
					return
				default:
					runtime.KeepAlive(burn(10_000))
				}
			}
		}()
	}
	return func() {
		close(quit)
		for range n {
			<-ended
		}
	}
}

// Ferret hands out numbers for dossiers. The counters are files, which other programs of the office use, too.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type registry struct{ dir string }

func (r registry) file(office string) string { return filepath.Join(r.dir, office+".counter") }

// locked runs fn while no other program has the file.
func locked(path string, fn func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("locking %s: %w", path, err)
	}
	defer syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	return fn(f)
}

func (r registry) next(office string) (n int, err error) {
	err = locked(r.file(office), func(f *os.File) error {
		text, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		n, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		n++
		_, err = f.WriteAt([]byte(strconv.Itoa(n)), 0)
		return err
	})
	return n, err
}

func (r registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	office := req.PathValue("office")
	n, err := r.next(office)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "%s-%06d\n", office, n)
}

// load is clerks, and the nightly program of another team that looks at the counters all day.
func load(url string, r registry) {
	go func() {
		for i := 0; ; i++ {
			err := locked(r.file(fmt.Sprintf("office%d", i%3)), func(*os.File) error {
				time.Sleep(250 * time.Millisecond)
				return nil
			})
			if err != nil {
				log.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	for n := range 45 {
		go func() {
			for {
				if res, err := client.Get(fmt.Sprintf("%s/next/office%d", url, n%3)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(30 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	r := registry{filepath.Join(os.TempDir(), "ferret-"+strconv.Itoa(*port))}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		log.Fatal(err)
	}
	if *l {
		load("http://"+addr, r)
	}
	http.Handle("GET /next/{office}", r)
	log.Fatal(http.ListenAndServe(addr, nil))
}

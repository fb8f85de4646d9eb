// Diary keeps notes of nurses in memory and who read them in an audit file.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

type Note struct {
	Ward, Author, Text string
	At                 time.Time
}

type Repository interface {
	Add(Note) int
	Find(ward string) []Note
}

type memory struct {
	mu    sync.RWMutex
	notes map[string][]Note
}

func (m *memory) Add(n Note) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := append(m.notes[n.Ward], n)
	m.notes[n.Ward] = all[max(0, len(all)-20):]
	return len(all)
}

func (m *memory) Find(ward string) []Note {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return append([]Note(nil), m.notes[ward]...)
}

type Service struct {
	repo  Repository
	audit *slog.Logger
}

func (s *Service) Write(n Note) {
	s.audit.Info("write", "ward", n.Ward, "author", n.Author, "kept", s.repo.Add(n))
}

func (s *Service) Read(ward, reader string) []Note {
	notes := s.repo.Find(ward)
	s.audit.Info("read", "ward", ward, "reader", reader, "notes", len(notes))
	return notes
}

type api struct{ *Service }

func (a api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.audit.Info("request", "method", r.Method, "url", r.URL.String(), "remote", r.RemoteAddr)
	ward := strings.TrimPrefix(r.URL.Path, "/ward/")
	switch r.Method {
	case http.MethodPost:
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4096))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		a.Write(Note{ward, r.FormValue("author"), string(text), time.Now()})
		w.WriteHeader(http.StatusNoContent)
	default:
		json.NewEncoder(w).Encode(a.Read(ward, r.FormValue("reader")))
	}
}

// openAudit: the auditors want each line on the disk.
func openAudit(file string) (*slog.Logger, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|os.O_SYNC, 0o600)
	if err != nil {
		return nil, err
	}
	return slog.New(slog.NewJSONHandler(f, &slog.HandlerOptions{AddSource: true})), nil
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for n := range 32 {
		go func() {
			for i := 0; ; i++ {
				ward := fmt.Sprintf("%s/ward/%d", url, (n+i)%60)
				var res *http.Response
				var err error
				if i%5 == 0 {
					res, err = client.Post(ward+"?author=mia", "text/plain", strings.NewReader("slept well, no pain"))
				} else {
					res, err = client.Get(ward + "?reader=tom")
				}
				if err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(40 * time.Millisecond)
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
	if *l {
		load("http://" + addr)
	}
	audit, err := openAudit(filepath.Join(os.TempDir(), fmt.Sprintf("diary-%d.log", *port)))
	if err == nil {
		s := &Service{&memory{notes: make(map[string][]Note)}, audit}
		http.Handle("/ward/", api{s})
		err = http.ListenAndServe(addr, nil)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

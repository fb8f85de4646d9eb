// Ledger books transfers and shows balances.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Journal interface {
	Append(Transfer) error
	Balance(account int) int64
}

type Transfer struct {
	From, To int
	Amount   int64
	At       time.Time
}

type fileJournal struct {
	sync.Mutex
	f        *os.File
	balances map[int]int64
}

func openJournal(dir string) (Journal, error) {
	f, err := os.CreateTemp(dir, "journal-*.jsonl")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	return &fileJournal{f: f, balances: map[int]int64{}}, nil
}

func (j *fileJournal) Append(t Transfer) error {
	j.Lock()
	defer j.Unlock()
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if _, err := j.f.Write(append(line, '\n')); err != nil {
		return err
	}
	if err := j.f.Sync(); err != nil {
		return err
	}
	j.balances[t.From] -= t.Amount
	j.balances[t.To] += t.Amount
	return nil
}

func (j *fileJournal) Balance(account int) int64 {
	j.Lock()
	defer j.Unlock()
	return j.balances[account]
}

type api struct{ j Journal }

func (a api) transfer(w http.ResponseWriter, r *http.Request) {
	var t Transfer
	if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t.At = time.Now()
	if err := a.j.Append(t); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (a api) balance(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.PathValue("account"))
	fmt.Fprintln(w, a.j.Balance(n))
}

func load(base string) {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for i := 0; i < 48; i++ {
		go func() {
			for k := 0; ; k++ {
				if k%3 == 0 {
					body := fmt.Sprintf(`{"From":%d,"To":%d,"Amount":5}`, i, k%48)
					if res, err := client.Post(base+"/transfer", "application/json",
						strings.NewReader(body)); err == nil {
						res.Body.Close()
					}
				} else if res, err := client.Get(base + "/balance/" + strconv.Itoa(k%48)); err == nil {
					res.Body.Close()
				}
				time.Sleep(15 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "where to serve")
	ld := flag.Bool("load", false, "customers")
	flag.Parse()
	addr := "127.0.0.1:" + strconv.Itoa(*port)
	if *ld {
		load("http://" + addr)
	}
	runtime.SetMutexProfileFraction(5)
	j, err := openJournal(filepath.Clean(os.TempDir()))
	if err != nil {
		log.Fatal(err)
	}
	a := api{j}
	http.HandleFunc("POST /transfer", a.transfer)
	http.HandleFunc("GET /balance/{account}", a.balance)
	log.Fatal(http.ListenAndServe(addr, nil))
}

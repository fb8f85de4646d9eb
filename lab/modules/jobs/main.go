// Jobs is a thumbnail service: a pool of ants, cron jobs, a configuration that viper reads again when fsnotify tells.
package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/panjf2000/ants/v2"
	"github.com/robfig/cron/v3"
	"github.com/spf13/viper"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

func start(serve.Options) error {
	dir, err := os.MkdirTemp("", "modules-jobs-")
	if err != nil {
		return err
	}
	file := dir + "/config.yaml"
	if err := os.WriteFile(file, []byte("rounds: 200\n"), 0o600); err != nil {
		return err
	}
	v := viper.New()
	v.SetConfigFile(file)
	if err := v.ReadInConfig(); err != nil {
		return err
	}
	var rounds, done atomic.Int64
	rounds.Store(v.GetInt64("rounds"))
	v.OnConfigChange(func(fsnotify.Event) { rounds.Store(v.GetInt64("rounds")) })
	v.WatchConfig()
	pool, err := ants.NewPool(64, ants.WithPreAlloc(true))
	if err != nil {
		return err
	}
	c := cron.New(cron.WithSeconds())
	for _, spec := range []string{"* * * * * *", "*/2 * * * * *", "0 * * * * *"} {
		if _, err := c.AddFunc(spec, func() { done.Store(0) }); err != nil {
			return err
		}
	}
	c.Start()
	go func() {
		for i := 0; ; i++ {
			time.Sleep(3 * time.Second)
			os.WriteFile(file, fmt.Appendf(nil, "rounds: %d\n", 200+i%10), 0o600)
		}
	}()
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer := make(chan [32]byte, 1)
		if err := pool.Submit(func() {
			sum := sha256.Sum256([]byte(r.FormValue("i")))
			for range rounds.Load() {
				sum = sha256.Sum256(sum[:])
			}
			done.Add(1)
			answer <- sum
		}); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		sum := <-answer
		fmt.Fprintf(w, "%x", sum)
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1000, Path: func(i int) string { return "/?i=" + strconv.Itoa(i) }})
}

// Transcode packs uploaded measurements: as many at once as there are processors; a full queue is said so.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
	"strings"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	pool, err := NewPool(runtime.GOMAXPROCS(0), 32)
	if err != nil {
		slog.Error("transcode", "err", err)
		os.Exit(1)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /series", func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		packed, err := pool.Pack(r.Context(), raw)
		switch {
		case errors.Is(err, ErrFull):
			w.Header().Set("Retry-After", "1")
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		case errors.Is(err, context.Canceled):
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		default:
			w.Header().Set("Content-Type", "application/zstd")
			w.Write(packed)
		}
	})
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	slog.Error("transcode", "err", http.ListenAndServe(p.Main(), mux))
}

// load uploads an hour of a sensor's values at a time.
func load(p drive.Ports) {
	var raw strings.Builder
	for i := range 24_000 {
		v := 20 + 5*math.Sin(float64(i)/500) + float64(i*7919%13)/50
		raw.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	body := raw.String()
	drive.Load{Rate: 240}.Run(func(i int) *http.Request {
		cut := i % 3000 * 8
		req := drive.Send(http.MethodPost, p.Main(), "/series", body[cut:])
		req.Header.Set("X-Sensor", fmt.Sprint(i%40))
		return req
	})
}

// Permits answers whether a number plate may park in a zone. Each answer is logged for the city's auditors.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

// socket is where the agent on the same host takes log lines.
func socket(p drive.Ports) string {
	return filepath.Join(os.TempDir(), "permits-"+strings.ReplaceAll(p.Main(), ":", "-")+".sock")
}

func main() {
	p := drive.Flags()
	if p.Load {
		agent(socket(p))
		load(p)
	}
	log := newLogger(&agentWriter{path: socket(p)})
	defer log.Sync()
	reg := newRegister(20000)
	r := chi.NewRouter()
	r.Use(audited(log))
	r.Get("/zones/{zone}/plates/{plate}", reg.check)
	r.Get("/zones/{zone}", reg.zone)
	r.Mount("/debug/pprof", http.DefaultServeMux)
	if err := http.ListenAndServe(p.Main(), r); err != nil {
		log.Fatal("serving", zap.Error(err))
	}
}

func newLogger(w zapcore.WriteSyncer) *zap.Logger {
	cfg := zap.NewProductionEncoderConfig()
	cfg.EncodeTime = zapcore.ISO8601TimeEncoder
	core := zapcore.NewCore(zapcore.NewJSONEncoder(cfg), zapcore.Lock(w), zapcore.InfoLevel)
	return zap.New(core, zap.AddCaller()).Named("permits")
}

// agentWriter writes to the agent; lines are lost while there is none.
type agentWriter struct {
	path string
	conn net.Conn
}

func (w *agentWriter) Write(line []byte) (int, error) {
	if w.conn == nil {
		c, err := net.DialTimeout("unix", w.path, time.Second)
		if err != nil {
			return 0, fmt.Errorf("reaching the log agent: %w", err)
		}
		w.conn = c
	}
	n, err := w.conn.Write(line)
	if err != nil {
		w.conn.Close()
		w.conn = nil
	}
	return n, err
}

func (w *agentWriter) Sync() error { return nil }

// agent plays the log agent: it parses and forwards 190 lines a second, more at a time than one.
func agent(path string) {
	os.Remove(path)
	l := drive.Listen("unix", path)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				in := bufio.NewReader(c)
				for i := 0; ; i++ {
					line, err := in.ReadBytes('\n')
					if err != nil {
						return
					}
					var v map[string]any
					json.Unmarshal(line, &v)
					if i%4 == 3 {
						time.Sleep(20 * time.Millisecond)
					}
				}
			}()
		}
	}()
}

func load(p drive.Ports) {
	drive.Load{Rate: 230, Callers: 80}.Run(func(i int) *http.Request {
		if i%9 == 0 {
			return drive.Get(p.Main(), "/zones/%d", i%12)
		}
		return drive.Get(p.Main(), "/zones/%d/plates/B-XY-%d", i%12, i*7919%30000)
	})
}

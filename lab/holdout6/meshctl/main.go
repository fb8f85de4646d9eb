// Meshctl tells the proxies of a mesh where the clusters' endpoints are: each proxy holds a stream and gets the whole
// picture again when something changes.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type control struct{ snapshots *snapshots }

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	c := &control{snapshots: newSnapshots(320)}
	http.HandleFunc("GET /v3/discovery", c.discovery)
	http.HandleFunc("PUT /v3/endpoints/{cluster}", c.report)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}

// discovery streams snapshots, each behind its length.
func (c *control) discovery(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-protobuf")
	out := http.NewResponseController(w)
	for {
		snap, changed := c.snapshots.current()
		if err := push(w, snap); err != nil {
			return
		}
		if err := out.Flush(); err != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// push writes one discovery response.
func push(w io.Writer, snap *snapshot) error {
	body, err := proto.Marshal(snap.resources)
	if err != nil {
		return fmt.Errorf("encoding snapshot %d: %w", snap.version, err)
	}
	var head [12]byte
	binary.BigEndian.PutUint64(head[:], snap.version)
	binary.BigEndian.PutUint32(head[8:], uint32(len(body)))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

func (c *control) report(w http.ResponseWriter, r *http.Request) {
	address, err := io.ReadAll(io.LimitReader(r.Body, 1<<10))
	if err != nil || len(address) == 0 {
		http.Error(w, "no address", http.StatusBadRequest)
		return
	}
	if !c.snapshots.move(r.PathValue("cluster"), string(address)) {
		http.Error(w, "no such cluster", http.StatusNotFound)
	}
}

// load is 120 proxies, and pods that move.
func load(p drive.Ports) {
	for range 120 {
		go func() {
			for {
				res, err := http.Get("http://" + p.Main() + "/v3/discovery")
				if err != nil {
					time.Sleep(time.Second)
					continue
				}
				io.Copy(io.Discard, bufio.NewReaderSize(res.Body, 64<<10))
				res.Body.Close()
			}
		}()
	}
	drive.Load{Rate: 4}.Run(func(i int) *http.Request {
		return drive.Send(http.MethodPut, p.Main(), fmt.Sprintf("/v3/endpoints/cluster-%d", i%320),
			fmt.Sprintf("10.0.%d.%d:8080", i%200, i*7%250))
	})
}

// Telemetry takes readings of wind turbines from NATS, and archives them compressed, by turbine.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Reading struct {
	Turbine int       `json:"turbine"`
	At      time.Time `json:"at"`
	Wind    []float64 `json:"wind"`
	Power   []float64 `json:"power"`
	Pitch   []float64 `json:"pitch"`
}

type Summary struct {
	Turbine          int
	Mean, Max, Sigma float64
	Suspicious       bool
}

// summarise says how the wind was, and whether power fits to it.
func summarise(r *Reading) Summary {
	s := Summary{Turbine: r.Turbine}
	var sum, squares float64
	for i, w := range r.Wind {
		sum += w
		squares += w * w
		s.Max = math.Max(s.Max, w)
		if expected := math.Min(3.2, 0.0009*math.Pow(w, 3)); math.Abs(expected-r.Power[i]) > 2.5 {
			s.Suspicious = true
		}
	}
	n := float64(len(r.Wind))
	s.Mean = sum / n
	s.Sigma = math.Sqrt(math.Max(0, squares/n-s.Mean*s.Mean))
	return s
}

// Archive keeps the newest packets of each turbine.
type Archive struct {
	mu      sync.Mutex
	packets map[int][][]byte
	summary map[int]Summary
}

const kept = 40

func (a *Archive) add(s Summary, packet []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := append(a.packets[s.Turbine], packet)
	if len(all) > kept {
		all = append(all[:0:0], all[len(all)-kept:]...)
	}
	a.packets[s.Turbine], a.summary[s.Turbine] = all, s
}

func compress(data []byte) ([]byte, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault))
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	return enc.EncodeAll(data, make([]byte, 0, len(data)/2)), nil
}

func (a *Archive) receive(m *nats.Msg) {
	var r Reading
	if err := json.Unmarshal(m.Data, &r); err != nil || len(r.Wind) != len(r.Power) {
		log.Printf("bad reading on %s: %v", m.Subject, err)
		return
	}
	packet, err := compress(m.Data)
	if err != nil {
		log.Print(err)
		return
	}
	a.add(summarise(&r), packet)
}

func (a *Archive) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	json.NewEncoder(w).Encode(a.summary)
}

func reading(i int) []byte {
	r := Reading{Turbine: i % 60, At: time.Now()}
	for n := range 150 {
		w := 8 + 4*math.Sin(float64(i+n)/17) + float64((i*n)%13)/10
		r.Wind = append(r.Wind, math.Round(w*1000)/1000)
		r.Power = append(r.Power, math.Round(900*math.Pow(w, 3)/1000)/1000)
		r.Pitch = append(r.Pitch, float64((i+n)%90)/7)
	}
	data, err := json.Marshal(r)
	if err != nil {
		log.Fatal(err)
	}
	return data
}

func load(p drive.Ports) {
	_, port, _ := net.SplitHostPort(p.Dependency())
	var o server.Options
	fmt.Sscan(port, &o.Port)
	o.Host = "127.0.0.1"
	s, err := server.NewServer(&o)
	if err != nil {
		log.Fatal(err)
	}
	s.Start()
	drive.Await(p.Dependency())
	nc, err := nats.Connect("nats://" + p.Dependency())
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; ; i++ {
		nc.Publish(fmt.Sprintf("turbine.%d", i%60), reading(i))
		time.Sleep(3 * time.Millisecond)
	}
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	a := &Archive{packets: make(map[int][][]byte), summary: make(map[int]Summary)}
	nc, err := nats.Connect("nats://"+p.Dependency(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(200*time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := nc.QueueSubscribe("turbine.*", "archive", a.receive); err != nil {
		log.Fatal(err)
	}
	http.Handle("/summary", a)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}

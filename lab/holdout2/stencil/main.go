// Stencil blurs pictures and answers health checks and small questions beside that.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"time"
)

type plane struct {
	w, h int
	px   []float32
}

func newPlane(w, h int) *plane { return &plane{w, h, make([]float32, w*h)} }

// convolve smooths src into dst, so many times.
func convolve(dst, src []float32, w, times int) {
	for t := 0; t < times; t++ {
		for i := w + 1; i < len(src)-w-1; i++ {
			dst[i] = (src[i-w]+src[i-1]+src[i]*4+src[i+1]+src[i+w])*0.125 + src[i+w+1]*0.0001
		}
		dst, src = src, dst
	}
}

type server struct{ profiles map[string][]string }

func (s *server) blur(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil || len(raw) < 640 {
		http.Error(w, "no picture", http.StatusBadRequest)
		return
	}
	src, dst := newPlane(640, len(raw)/640), newPlane(640, len(raw)/640)
	for i := range src.px {
		src.px[i] = float32(raw[i])
	}
	convolve(dst.px, src.px, src.w, 350)
	for i := range raw[:len(dst.px)] {
		raw[i] = byte(dst.px[i])
	}
	w.Write(raw)
}

// profile answers a small question, in JSON.
func (s *server) profile(w http.ResponseWriter, r *http.Request) {
	out := map[string]any{"user": r.FormValue("user"), "filters": s.profiles[r.FormValue("user")],
		"sizes": make([]int, 2000)}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(text)
}

func (s *server) health(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }

func drain(res *http.Response, err error) {
	if err == nil {
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	picture := bytes.Repeat([]byte("stencil!"), 640*480/8)
	go func() {
		for {
			drain(client.Post(url+"/blur", "application/octet-stream", bytes.NewReader(picture)))
			time.Sleep(150 * time.Millisecond)
		}
	}()
	for i := 0; ; i++ {
		go func() { drain(client.Get(url + "/profile?user=u" + strconv.Itoa(i%40))) }()
		if i%10 == 0 {
			go func() { drain(client.Get(url + "/health")) }()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := "127.0.0.1:" + strconv.Itoa(*port)
	if *l {
		load("http://" + addr)
	}
	s := &server{profiles: make(map[string][]string)}
	for i := range 40 {
		s.profiles["u"+strconv.Itoa(i)] = []string{"blur", "sepia", "edge"}
	}
	http.HandleFunc("POST /blur", s.blur)
	http.HandleFunc("GET /profile", s.profile)
	http.HandleFunc("GET /health", s.health)
	fmt.Fprintln(os.Stderr, http.ListenAndServe(addr, nil))
	os.Exit(1)
}

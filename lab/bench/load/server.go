package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

// A server is the target, a process of its own.
type server struct {
	HTTP, GRPC string // addresses
	cmd        *exec.Cmd
	stdin      io.Closer
}

// startServer runs serve in a child and waits until it says where it listens.
func startServer() (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "serve")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	s := &server{cmd: cmd, stdin: stdin}
	if err := json.NewDecoder(stdout).Decode(s); err != nil {
		s.stop()
		return nil, fmt.Errorf("the server did not say where it listens: %w", err)
	}
	return s, nil
}

// stop ends the server by the end of its input, and waits for it.
func (s *server) stop() {
	_ = s.stdin.Close()
	_ = s.cmd.Wait() // it was told to end; how it did does not matter any more
}

// arm makes the server begin its delays anew and stand still from a moment on.
func (s *server) arm(from time.Time) error {
	resp, err := http.Get("http://" + s.HTTP + "/arm?from=" + strconv.FormatInt(from.UnixNano(), 10))
	if err != nil {
		return fmt.Errorf("arming the server: %w", err)
	}
	return resp.Body.Close()
}

// serve listens until standard input ends. / answers at once, /slow after the delays.
func serve() error {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello\n") })
	(&slow{}).routes(mux)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, Protocols: &http.Protocols{}}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	rpc := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(rpc, health.NewServer())
	reflection.Register(rpc)
	var listeners [2]net.Listener
	for i := range listeners {
		var err error
		if listeners[i], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return err
		}
	}
	failed := make(chan error, 2)
	go func() { failed <- srv.Serve(listeners[0]) }()
	go func() { failed <- rpc.Serve(listeners[1]) }()
	if err := json.NewEncoder(os.Stdout).Encode(server{HTTP: listeners[0].Addr().String(),
		GRPC: listeners[1].Addr().String()}); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // its end is the signal
	}()
	select {
	case err := <-failed:
		return err
	case <-ended: // the process ends, and with it both servers
		return nil
	}
}

// slow is the handler with the known delays.
type slow struct {
	n    atomic.Uint64
	from atomic.Int64 // when it stands still, in Unix nanoseconds
}

func (s *slow) routes(mux *http.ServeMux) {
	mux.HandleFunc("/arm", func(w http.ResponseWriter, r *http.Request) {
		from, err := strconv.ParseInt(r.FormValue("from"), 10, 64)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.from.Store(from)
		s.n.Store(0)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		came := time.Duration(time.Now().UnixNano())
		from := time.Duration(s.from.Load())
		sleepUntil(leaves(came+delayOf(s.n.Add(1)-1), from, from+stall))
		io.WriteString(w, "hello\n")
	})
}

// sleepUntil sleeps until a Unix time in nanoseconds. The runtime's timers may be a millisecond late in an idle
// process, so the last of it is slept in the kernel.
func sleepUntil(at time.Duration) {
	const last = 2 * time.Millisecond
	left := func() time.Duration { return at - time.Duration(time.Now().UnixNano()) }
	time.Sleep(left() - last)
	if d := left(); d > 0 {
		kernelSleep(d)
	}
}

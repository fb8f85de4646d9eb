package cli_test

import (
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

func TestLoadRequests(t *testing.T) {
	t.Parallel()
	body := write(t, "body.txt", "n={{seq}}")
	csv := write(t, "users.csv", "id,name\n7,Ann\n8,Bo\n")
	for _, c := range []struct {
		name string
		args []string // URL is the server's
		want []string
	}{
		{"one", []string{"-n", "2", "-H", "X-User: u{{seq}}", "URL/a"}, []string{"GET /a u1", "GET /a u2"}},
		{"body", []string{"-n", "1", "-d", "hi", "URL/a"}, []string{"POST /a  hi"}},
		{"body of a file", []string{"-n", "2", "-X", "PUT", "-d", "@" + body, "URL/a"},
			[]string{"PUT /a  n=1", "PUT /a  n=2"}},
		{"rows", []string{"-n", "2", "--csv", csv, "URL/{{.id}}?q={{.name}}"}, []string{"GET /7?q=Ann", "GET /8?q=Bo"}},
		{"targets below a base", []string{"-n", "2", "-H", "X-User: all", "--targets",
			write(t, "t.http", "GET /a\n\nPOST /b\nX-User: own\n"), "URL"},
			[]string{"GET /a all", "POST /b own"}},
		{"no templates", []string{"-n", "1", "--no-templates", "-d", "{{", "URL/"}, []string{"POST /  {{"}},
		{"a schedule", []string{"--pace", "constant 50 100ms then ramp 50..100 100ms", "URL/a"}, []string{"GET /a"}},
		{"replay", []string{"--pace", "replay " + write(t, "times.txt", "5.0\n5.05\n5.1\n"), "URL/{{seq}}"},
			[]string{"GET /1", "GET /2", "GET /3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			args := []string{"load", "--silent"}
			if c.name != "a schedule" && c.name != "replay" {
				args = append(args, "--rate", "100")
			}
			for _, a := range c.args {
				args = append(args, strings.Replace(a, "URL", s.URL, 1))
			}
			inProcess(t, args...).want(t, 0, "errors     none")
			s.had(t, c.want...)
		})
	}
}

// TestLoadGRPC calls gRPC's health service, found through reflection.
func TestLoadGRPC(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(srv, health.NewServer())
	reflection.Register(srv)
	go srv.Serve(l)
	t.Cleanup(srv.Stop)
	url := "grpc://" + l.Addr().String() + "/grpc.health.v1.Health/Check"
	inProcess(t, "load", "--rate", "100", "-n", "10", url).want(t, 0, "POST "+url+", grpc", "answered   10 well",
		"OK × 10")
	inProcess(t, "load", "--rate", "100", "-n", "10", "-d", `{"service": "x{{seq}}"}`, url).want(t, 1,
		"grpc       10, the first: /grpc.health.v1.Health/Check: NOT_FOUND", "NOT_FOUND × 10")
	inProcess(t, "load", "--rate", "100", "-n", "10", url+"s").want(t, 2, "no method Checks: it has Check, List, Watch")
	inProcess(t, "load", "--rate", "100", "--protocol", "http/2", url).want(t, 2, "leave it out")
	inProcess(t, "load", "--rate", "100", "grpc://192.0.2.1:1/a.B/C").want(t, 2, "not a loopback address",
		"--allow HOST")
}

// TestLoadTLS trusts a certificate from a file, or no certificate.
func TestLoadTLS(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		io.WriteString(w, r.Proto)
	}))
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // some handshakes should fail
	srv.StartTLS()
	t.Cleanup(srv.Close)
	ca := write(t, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})))
	inProcess(t, "load", "--rate", "100", "-n", "5", "--ca", ca, srv.URL).want(t, 0, "200 × 5")
	inProcess(t, "load", "--rate", "100", "-n", "5", "--insecure", "--protocol", "http/2", "--connections", "2",
		srv.URL).want(t, 0, "200 × 5", "http/2")
	inProcess(t, "load", "--rate", "100", "-n", "5", srv.URL).want(t, 1, "errors     5, 100 %", "certificate")
}

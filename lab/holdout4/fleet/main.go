// Fleet receives the diagnostic reports of devices in the field and shows what state they are in.
package main

import (
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"

	"github.com/sirupsen/logrus"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

func (f *Fleet) site(w http.ResponseWriter, r *http.Request) {
	devices, errs := f.Site(r.PathValue("name"))
	fmt.Fprintf(w, "devices %d\nerrors %d\n", devices, errs)
}

// guard turns away what is not a device.
type guard struct {
	http.Handler
	token string
}

func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && r.Header.Get("X-Device-Token") != g.token {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	g.Handler.ServeHTTP(w, r)
}

func deviceLog() string {
	var b strings.Builder
	for i := range 1500 {
		level := "INFO"
		if i%97 == 0 {
			level = "ERROR"
		}
		fmt.Fprintf(&b, "%06d %s pump %d: pressure %d mbar, valve %d, temperature %d\n", i, level, i%4, 900+i%300, i%9,
			20+i%15)
	}
	return b.String()
}

func main() {
	p := drive.Flags()
	if p.Load {
		log := deviceLog()
		drive.HTTP(120, func(i int) *http.Request {
			if i%90 == 0 {
				return drive.Get(p.Main(), "/sites/site-%d", i%40)
			}
			n := i % 6000
			cut := len(log) - n*7%40000
			req := drive.Send(http.MethodPost, p.Main(), "/reports", fmt.Sprintf(
				"serial: SN-%06d\nfirmware: 4.%d.%d\nsite: site-%d\n\n%s", n, n%9, n%21, n%40, log[:cut]))
			req.Header.Set("X-Device-Token", "secret")
			return req
		})
	}
	f := &Fleet{devices: map[string]*Device{}}
	http.HandleFunc("POST /reports", f.post)
	http.HandleFunc("GET /sites/{name}", f.site)
	logrus.SetOutput(os.Stderr)
	logrus.Fatal(http.ListenAndServe(p.Main(), guard{http.DefaultServeMux, "secret"}))
}

// Access answers how far away places are, and logs some lines for each question. The form (-kind) says by which library
// (slog, log, zap, zerolog, logrus), and with "-synced" the file is open with O_SYNC, as auditors once asked for.
package main

import (
	"fmt"
	"log"
	"log/slog"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/rs/zerolog"
	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// A record writes a line.
type record func(event, who string, n int)

// recordTo is the library's way to write a line to a file.
func recordTo(library string, f *os.File) (record, error) {
	switch library {
	case "slog":
		l := slog.New(slog.NewJSONHandler(f, nil))
		return func(event, who string, n int) { l.Info(event, "who", who, "n", n) }, nil
	case "log":
		l := log.New(f, "", log.LstdFlags)
		return func(event, who string, n int) { l.Printf("%s %s %d", event, who, n) }, nil
	case "zap":
		l := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.Lock(f),
			zap.InfoLevel))
		return func(event, who string, n int) { l.Info(event, zap.String("who", who), zap.Int("n", n)) }, nil
	case "zerolog":
		l := zerolog.New(f).With().Timestamp().Logger()
		return func(event, who string, n int) { l.Info().Str("who", who).Int("n", n).Msg(event) }, nil
	case "logrus":
		l := logrus.New()
		l.SetOutput(f)
		return func(event, who string, n int) { l.WithFields(logrus.Fields{"who": who, "n": n}).Info(event) }, nil
	}
	return nil, fmt.Errorf("no library %q", library)
}

type places struct{ note record }

func (p *places) distance(w http.ResponseWriter, r *http.Request) {
	who := r.RemoteAddr
	from, err := strconv.Atoi(r.FormValue("from"))
	if err != nil {
		p.note("bad question", who, 0)
		http.Error(w, "from is a number", http.StatusBadRequest)
		return
	}
	p.note("question", who, from)
	for to := range 5 {
		a, b := float64(from), float64(to)
		km := 6371 * math.Acos(math.Sin(a)*math.Sin(b)+math.Cos(a)*math.Cos(b))
		p.note("distance", who, int(km))
		fmt.Fprintf(w, "%d: %.0f km\n", to, km)
	}
	p.note("answered", who, from)
}

func start(o serve.Options) error {
	library, how, _ := strings.Cut(o.Kind, "-")
	f, err := os.CreateTemp("", "modules-access-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if how == "synced" {
		if f, err = os.OpenFile(f.Name(), os.O_WRONLY|os.O_APPEND|os.O_SYNC, 0); err != nil {
			return err
		}
	}
	note, err := recordTo(library, f)
	http.HandleFunc("GET /distance", (&places{note}).distance)
	return err
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 200,
		Path: func(i int) string { return fmt.Sprint("/distance?from=", i%700) }})
}

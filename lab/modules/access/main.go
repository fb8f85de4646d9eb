// Access answers how far away places are, and logs some lines for each question. The form (-kind) says by which library
// (slog, log, zap, zerolog, logrus) and to what: "-synced" is a file that is open with O_SYNC, as auditors once asked
// for, "-buffered" the same behind the library's own buffer, "-rotated" files of one megabyte, and "-piped" a pipe
// whose reader is slow.
package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"math"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/rs/zerolog/diode"
	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// A record writes a line.
type record func(event, who string, n int)

// recordTo is the library's way to write a line.
func recordTo(library string, f io.Writer) (record, error) {
	switch library {
	case "slog":
		l := slog.New(slog.NewJSONHandler(f, nil))
		return func(event, who string, n int) { l.Info(event, "who", who, "n", n) }, nil
	case "log":
		l := log.New(f, "", log.LstdFlags)
		return func(event, who string, n int) { l.Printf("%s %s %d", event, who, n) }, nil
	case "zap":
		l := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()),
			zapcore.Lock(zapcore.AddSync(f)), zap.InfoLevel))
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

// open is what lines are written to.
func open(library, how string) (io.Writer, error) {
	dir, err := os.MkdirTemp("", "modules-access-")
	if err != nil {
		return nil, err
	}
	name := dir + "/access.log"
	switch how {
	case "":
		return os.Create(name)
	case "synced":
		return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|os.O_SYNC, 0o600)
	case "buffered":
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|os.O_SYNC, 0o600)
		if library == "zerolog" {
			return diode.NewWriter(f, 10_000, 100*time.Millisecond, func(int) {}), err
		}
		return &zapcore.BufferedWriteSyncer{WS: f, FlushInterval: time.Second}, err
	case "rotated":
		return &lumberjack.Logger{Filename: name, MaxSize: 1, MaxBackups: 2}, nil
	case "piped":
		return pipe()
	}
	return nil, fmt.Errorf("no way %q", how)
}

// pipe is what standard output is to a service whose collector takes 80 kB a second.
func pipe() (io.Writer, error) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		return nil, err
	}
	collector := exec.Command("sh", "-c", "while head -c 4000 >/dev/null; do sleep 0.05; done")
	collector.Stdin = os.NewFile(uintptr(ends[0]), "collector")
	return os.NewFile(uintptr(ends[1]), "stdout"), collector.Start()
}

func start(o serve.Options) error {
	library, how, _ := strings.Cut(o.Kind, "-")
	f, err := open(library, how)
	if err != nil {
		return err
	}
	note, err := recordTo(library, f)
	http.HandleFunc("GET /distance", (&places{note}).distance)
	return err
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 200,
		Path: func(i int) string { return fmt.Sprint("/distance?from=", i%700) }})
}

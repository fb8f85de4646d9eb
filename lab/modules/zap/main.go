// Zap is a meter service that logs an access line by zap; sick, it formats a debug line for each reading that nobody
// sees.
package main

import (
	"fmt"
	"net/http"
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type reading struct {
	Meter string
	Watt  float64
}

type service struct {
	log   *zap.Logger
	sugar *zap.SugaredLogger
	sick  bool
}

func (s *service) sum(readings []reading) (sum float64) {
	for i, r := range readings {
		if s.sick {
			s.sugar.Debug(fmt.Sprintf("reading %d of meter %s: %.3f W, %+v", i, r.Meter, r.Watt, r))
		}
		sum += r.Watt
	}
	return sum
}

func start(o serve.Options) error {
	f, err := os.CreateTemp("", "modules-zap-*.log")
	if err != nil {
		return err
	}
	out := &lumberjack.Logger{Filename: f.Name(), MaxSize: 10, MaxBackups: 1}
	core := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(out),
		zap.InfoLevel)
	log := zap.New(core)
	s := &service{log, log.Sugar(), o.Sick}
	readings := make([]reading, 500)
	for i := range readings {
		readings[i] = reading{fmt.Sprint("meter-", i), float64(i) * 1.7}
	}
	http.HandleFunc("/sum", func(w http.ResponseWriter, r *http.Request) {
		sum := s.sum(readings)
		s.log.Info("sum", zap.String("path", r.URL.Path), zap.Float64("sum", sum), zap.String("remote", r.RemoteAddr))
		fmt.Fprintln(w, sum)
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1200, Path: func(int) string { return "/sum" }})
}

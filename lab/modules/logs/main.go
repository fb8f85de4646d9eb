// Logs writes access lines by zerolog and audit lines by logrus, both into files that lumberjack rotates.
package main

import (
	"fmt"
	"net/http"
	"os"

	"github.com/rs/zerolog"
	"github.com/sirupsen/logrus"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

func start(serve.Options) error {
	dir, err := os.MkdirTemp("", "modules-logs-")
	if err != nil {
		return err
	}
	access := zerolog.New(&lumberjack.Logger{Filename: dir + "/access.log", MaxSize: 1, MaxBackups: 1,
		Compress: true}).With().Timestamp().Logger()
	audit := logrus.New()
	audit.SetOutput(&lumberjack.Logger{Filename: dir + "/audit.log", MaxSize: 5})
	audit.SetFormatter(&logrus.JSONFormatter{})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		access.Info().Str("path", r.URL.Path).Str("user", r.FormValue("u")).Msg("request")
		if r.FormValue("u") == "user-7" {
			audit.WithFields(logrus.Fields{"user": r.FormValue("u"), "path": r.URL.Path}).Info("watched user")
		}
		fmt.Fprintln(w, "hello", r.FormValue("u"))
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2500,
		Path: func(i int) string { return fmt.Sprintf("/?u=user-%d", i%20) }})
}

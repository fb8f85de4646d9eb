package main

import (
	"io"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

func work() func() {
	core := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(io.Discard),
		zap.InfoLevel)
	l := zap.New(core)
	body := strings.Repeat(`{"name":"a value","list":[1,2,3]} and plain text without anything to escape. `, 6)
	return func() {
		l.Info("request served without any trouble at all", zap.String("path", "/items/17/reviews?page=3"),
			zap.String("agent", "Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0"),
			zap.String("body", body), zap.Int("status", 200))
	}
}

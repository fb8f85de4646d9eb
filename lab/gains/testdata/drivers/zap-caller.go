package main

import (
	"io"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

func work() func() {
	core := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(io.Discard),
		zap.InfoLevel)
	l := zap.New(core, zap.AddCaller(), zap.AddStacktrace(zap.WarnLevel))
	return func() {
		l.Warn("slow answer", zap.Int("ms", 1700))
	}
}

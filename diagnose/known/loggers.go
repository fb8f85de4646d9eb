package known

import "strings"

// loggers are the packages that log.
func loggers() []Row {
	return []Row{
		{Functions: []string{"log.", "log/slog.", "log/internal", "log/slog/internal", "go.uber.org/zap.",
			"go.uber.org/zap/", "github.com/rs/zerolog.", "github.com/rs/zerolog/", "github.com/sirupsen/logrus.",
			"k8s.io/klog", "github.com/golang/glog.", "github.com/go-kit/log", "github.com/go-kit/kit/log",
			"github.com/hashicorp/go-hclog.", "github.com/inconshreveable/log15", "github.com/apex/log",
			"github.com/charmbracelet/log", "github.com/phuslu/log.", "github.com/go-logr/"}, Roles: Logs, Work: WritesLog},
		{Work: DerivesLogger, Functions: []string{"go.uber.org/zap.(*Logger).With*", "go.uber.org/zap.(*Logger).Named",
			"go.uber.org/zap.(*SugaredLogger).With*", "go.uber.org/zap/zapcore.(*ioCore).With", "log/slog.(*Logger).With*",
			"github.com/sirupsen/logrus.(*Entry).With*", "github.com/sirupsen/logrus.(*Logger).With*",
			"github.com/rs/zerolog.Logger.With", "github.com/rs/zerolog.Context.", "github.com/go-kit/log.With*",
			"github.com/hashicorp/go-hclog.(*intLogger).With", "github.com/go-logr/logr.Logger.With*"}},
	}
}

// CallerSetting is how a logger is told not to look for the line that logs; "" where that is not known.
func CallerSetting(logger string) string {
	for _, row := range [][2]string{
		{"github.com/sirupsen/logrus.", "SetReportCaller(false)"},
		{"github.com/charmbracelet/log", "SetReportCaller(false)"},
		{"go.uber.org/zap", "zap.WithCaller(false) or Config.DisableCaller, in place of AddCaller"},
		{"github.com/rs/zerolog", "no Caller() of the logger's context or of events"},
		{"log/slog", "AddSource: false in slog.HandlerOptions"},
		{"log.", "log.SetFlags without Lshortfile and Llongfile"},
		{"github.com/hashicorp/go-hclog.", "IncludeLocation: false in hclog.LoggerOptions"},
		{"github.com/go-kit/", "no log.Caller among the logger's values"},
		{"github.com/phuslu/log.", "Caller: 0"},
	} {
		if strings.HasPrefix(logger, row[0]) {
			return row[1]
		}
	}
	return ""
}

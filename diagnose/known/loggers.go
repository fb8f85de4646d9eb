package known

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

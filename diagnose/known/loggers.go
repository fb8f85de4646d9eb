package known

// loggers are the packages that log.
func loggers() []Row {
	return []Row{{Functions: []string{"log.", "log/slog.", "log/internal", "log/slog/internal", "go.uber.org/zap.",
		"go.uber.org/zap/", "github.com/rs/zerolog.", "github.com/rs/zerolog/", "github.com/sirupsen/logrus.",
		"k8s.io/klog", "github.com/golang/glog.", "github.com/go-kit/log", "github.com/go-kit/kit/log",
		"github.com/hashicorp/go-hclog.", "github.com/inconshreveable/log15", "github.com/apex/log",
		"github.com/charmbracelet/log", "github.com/phuslu/log.", "github.com/go-logr/"}, Roles: Logs, Work: WritesLog}}
}

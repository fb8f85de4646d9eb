// Package holmes shows the drop-in under the names that holmes_test.go of mosn.io/holmes uses, which is inside of
// package holmes: fields of the type Holmes that are not exported. Everything here is what a user of the drop-in can
// see: its status and its log.
package holmes

import (
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/gocasebook/casebook/holmes"
)

// What the test calls unqualified.
var (
	WithCollectInterval = holmes.WithCollectInterval
	WithTextDump        = holmes.WithTextDump
	WithGoroutineDump   = holmes.WithGoroutineDump
	WithThreadDump      = holmes.WithThreadDump
	WithShrinkThread    = holmes.WithShrinkThread
	WithCGroup          = holmes.WithCGroup
	WithGoProcAsCPUCore = holmes.WithGoProcAsCPUCore
	WithCPUCore         = holmes.WithCPUCore
)

// Holmes is the drop-in's, with the fields that the test reads. It reads them without a lock, as it does those of
// holmes.
type Holmes struct {
	*holmes.Holmes
	collectCount             int
	grCoolDownTime           time.Time // when goroutines were last dumped
	shrinkThreadTriggerCount int
	cores                    float64
}

// New is the drop-in's, with a logger that listens, and dumps into the working directory instead of /tmp.
func New(opts ...holmes.Option) (*Holmes, error) {
	h := &Holmes{}
	listen := holmes.WithLogger(listener{holmes.NewStdLogger(), h})
	inner, err := holmes.New(append([]holmes.Option{listen, holmes.WithDumpPath(os.Getenv("PWD"))}, opts...)...)
	h.Holmes = inner
	if err == nil {
		go h.count()
	}
	return h, err
}

// count follows the number of samples until the process ends.
func (h *Holmes) count() {
	for {
		h.collectCount = int(h.Status().Ticks) //nolint:gosec // a few
		time.Sleep(5 * time.Millisecond)
	}
}

//lint:ignore U1000 holmes_test.go calls it, which is compiled in its place
func (h *Holmes) getCPUCore() (float64, error) { return h.cores, nil }

//lint:ignore U1000 likewise
func getThreadNum() int { return pprof.Lookup("threadcreate").Count() }

// A listener notes what the drop-in logs, and logs it.
type listener struct {
	holmes.ErrorLogger
	h *Holmes
}

func (l listener) Infof(format string, args ...interface{}) {
	switch {
	case strings.HasPrefix(format, "[Holmes] 100 %% is %g cores"):
		l.h.cores, _ = args[0].(float64)
	case strings.HasPrefix(format, "[holmes] start to shrink"):
		l.h.shrinkThreadTriggerCount++
	}
	l.ErrorLogger.Infof(format, args...)
}

func (l listener) Alertf(alert string, format string, args ...interface{}) {
	if alert == "holmes.goroutine" {
		l.h.grCoolDownTime = time.Now()
	}
	l.ErrorLogger.Alertf(alert, format, args...)
}

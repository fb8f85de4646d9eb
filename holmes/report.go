package holmes

import "time"

// A ProfileReporter gets every dump, one call at a time, from a separate goroutine. The bytes are its own; text
// dumps are whole in them, and trimmed in the file. A panic is recovered and logged.
//
// A CPU dump is one profile of the seconds before the trip and those after it; its samples have the label "phase" with
// the value before or after.
type ProfileReporter interface {
	Report(pType string, filename string, reason ReasonType, eventID string, sampleTime time.Time, pprofBytes []byte,
		scene Scene) error
}

// A Scene is what was seen when a dump was triggered, and the thresholds.
type Scene struct {
	typeOption

	// CurVal is the value that triggered it: percent of memory, CPU and GC heap, number of goroutines and threads.
	CurVal int
	// Avg is the mean of the ten samples before.
	Avg int
}

// A ReasonType is what a judgement came to.
type ReasonType uint8

const (
	// ReasonCurlLessMin says that the value is below min.
	ReasonCurlLessMin ReasonType = iota
	// ReasonCurlGreaterMin says that the value is min or more, but neither above abs nor risen by diff.
	ReasonCurlGreaterMin
	// ReasonCurGreaterMax says that the value is max or more.
	ReasonCurGreaterMax
	// ReasonCurGreaterAbs says that the value is above abs.
	ReasonCurGreaterAbs
	// ReasonDiff says that the value is diff percent or more over the mean.
	ReasonDiff
)

var reasonTexts = [...]string{
	ReasonCurlLessMin:    "curVal < ruleMin",
	ReasonCurlGreaterMin: "curVal >= ruleMin, but don't meet diff trigger condition",
	ReasonCurGreaterMax:  "curVal >= ruleMax",
	ReasonCurGreaterAbs:  "curVal > ruleAbs",
	ReasonDiff:           "curVal >= ruleMin, and meet diff trigger condition",
}

func (rt ReasonType) String() string {
	if int(rt) >= len(reasonTexts) {
		return ""
	}
	return reasonTexts[rt]
}

// A report is one call of a ProfileReporter.
type report struct {
	profile, file string
	reason        ReasonType
	event         string
	at            time.Time
	data          []byte
	scene         Scene
}

// ReportProfile hands a dump to the reporter, if Holmes runs and one is active. It does not wait: when 32 dumps wait
// already it is dropped, and that is logged.
func (h *Holmes) ReportProfile(pType string, filename string, reason ReasonType, eventID string, sampleTime time.Time,
	pprofBytes []byte, scene Scene) {
	if filename == "" {
		h.Errorf("dump name is empty, type:%s, reason:%s, eventID:%s", pType, reason.String(), eventID)
		return
	}
	if r := h.current(); r != nil {
		r.put(report{pType, filename, reason, eventID, sampleTime, pprofBytes, scene})
	}
}

func (r *run) put(rep report) {
	if !r.h.options().report.active {
		return
	}
	select {
	case r.reports <- rep:
	default:
		n := r.dropped.Add(1)
		r.h.Warnf("[Holmes] the reporter is behind: the %s profile %s is not reported, %d in all", rep.profile,
			rep.file, n)
	}
}

// reportAll calls the reporter until the run has ended and nothing waits any more.
func (r *run) reportAll() {
	defer close(r.reported)
	for {
		select {
		case rep := <-r.reports:
			r.send(rep)
		case <-r.ended:
			r.reportRest()
			return
		}
	}
}

func (r *run) reportRest() {
	for {
		select {
		case rep := <-r.reports:
			r.send(rep)
		default:
			return
		}
	}
}

func (r *run) send(rep report) {
	o := r.h.options().report
	if !o.active || o.reporter == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			r.h.Errorf("[Holmes] the reporter panicked: %v", p)
		}
	}()
	if err := o.reporter.Report(rep.profile, rep.file, rep.reason, rep.event, rep.at, rep.data, rep.scene); err != nil {
		r.h.Warnf("[Holmes] reporting %s: %v", rep.file, err)
	}
}

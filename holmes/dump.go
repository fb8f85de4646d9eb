package holmes

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"runtime/pprof"
	"time"

	"github.com/gocasebook/casebook"
)

// A dump is one trip of a kind, for which files are written.
type dump struct {
	kind   kind
	reason ReasonType
	event  string // eventID of the reporter, and part of the file's name
	at     time.Time
	scene  Scene
}

// tripped dumps what the kind dumps. The Watch takes its own case of it.
func (r *run) tripped(ctx context.Context, e *casebook.Event) {
	k, ok := kindOf(e.Trigger.Rule)
	if !ok {
		return
	}
	if k == goroutine && e.Time.Before(r.seen.quiet) {
		r.h.Debugf("[Holmes] a thread dump has just dumped the goroutines")
		return
	}
	if k == cpu && r.dumpsCPU(e.Time) {
		r.h.Debugf("[Holmes] a cpu profile is being taken; this trip is in it")
		return
	}
	o := r.h.options()
	d := r.newDump(k, &o, e)
	switch k {
	case cpu:
		if e.Kind == casebook.Joined {
			r.profileCPU(ctx, d, e.CaseID)
		} else {
			r.awaitCPU(ctx, d, e.CaseID)
		}
	case thread:
		r.seen.quiet = e.Time.Add(o.kinds[goroutine].CoolDown)
		r.submit(kindTexts[k].check, func(context.Context) { r.dumpThreads(d) })
	case gcHeap:
		r.submit(kindTexts[k].check, func(ctx context.Context) { r.dumpHeapTwice(ctx, d) })
	case mem:
		r.submit(kindTexts[k].check, func(ctx context.Context) {
			r.freshen(ctx)
			r.snapshot(d, mem)
		})
	default:
		r.submit(kindTexts[k].check, func(context.Context) { r.snapshot(d, k) })
	}
}

func (r *run) newDump(k kind, o *options, e *casebook.Event) dump {
	s, text := r.scale.Load(), kindTexts[k]
	v, mean := e.Trigger.Value, r.h.record.before(k, e.Trigger.Time)
	if o.logger != nil {
		r.logJudged(func(format string, args ...any) { o.logger.Alertf(text.alert, format, args...) }, "pprof", o, k, v,
			e.Trigger.Time, s)
	}
	d := dump{
		kind: k, reason: ReasonDiff, at: time.Now(),
		scene: Scene{typeOption: o.kinds[k], CurVal: s.percent(k, v), Avg: s.percent(k, mean)},
	}
	if v > float64(o.kinds[k].TriggerAbs)*s.unit(k) {
		d.reason = ReasonCurGreaterAbs
	}
	if text.event != "" {
		d.event = fmt.Sprintf("%s-%d", text.event, r.seen.count[k])
	}
	r.seen.count[k]++
	return d
}

// dumpThreads dumps goroutines as well as threads: they show what the threads are for.
func (r *run) dumpThreads(d dump) {
	r.snapshot(d, thread)
	r.snapshot(d, goroutine)
}

// snapshot takes a kind's profile now and saves it.
func (r *run) snapshot(d dump, what kind) {
	o := r.h.options()
	var b bytes.Buffer // a new one for each profile: the reporter keeps what it gets
	if err := pprof.Lookup(kindTexts[what].profile).WriteTo(&b, int(o.DumpProfileType)); err != nil {
		r.h.Errorf("[Holmes] taking the %s profile: %v", kindTexts[what].profile, err)
		return
	}
	data := b.Bytes()
	if o.DumpProfileType == textDump && !o.DumpFullStack {
		data = trim(what, data)
	}
	r.save(&o, d, what, data, b.Bytes())
}

// save writes a file and reports the whole profile.
func (r *run) save(o *options, d dump, what kind, data, whole []byte) {
	text := kindTexts[what]
	name, err := dumpFile{o.DumpPath, text.check, d.event, d.at}.write(data)
	if err != nil {
		r.h.Errorf("[Holmes] no %s dump: %v", text.check, err)
		return
	}
	r.h.Infof("[Holmes] pprof %v profile write to file %v successfully", text.check, name)
	if o.DumpToLogger {
		r.h.Infof("[Holmes] %v profile: \n%s", text.check, printable(data))
	}
	if err := prune(o.DumpPath, o.retention); err != nil {
		r.h.Warnf("[Holmes] removing old dumps: %v", err)
	}
	r.put(report{text.profile, name, d.reason, d.event, d.at, whole, d.scene})
}

// printable is a text as it is, and a binary profile, which is gzipped, in base64.
func printable(data []byte) string {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return base64.StdEncoding.EncodeToString(data)
	}
	return string(data)
}

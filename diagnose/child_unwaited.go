package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// zombieScale is in children that have ended and that nobody has waited for. Who waits does so within moments, so that
// ten at both ends of ten seconds are no coincidence; containers are often limited to 1,024 processes, and most kernels
// to 32,768.
func zombieScale() Scale { return Scale{Worth: 10, Hurts: 1000, Top: 30_000} }

func childUnwaited() Detector {
	return Detector{
		ID:    "GO012",
		Kind:  "child-unwaited",
		Title: "Programs that have ended are not waited for",
		Text: `A process that has ended stays in the kernel's table, as a zombie, until its parent asks how it ended.
Counts the children of the process in that state at both ends of a capture. Worth knowing from 10, hurting from 1,000,
as many as a container may often have; growth is scored by the number it adds in an hour, and is capped at 74 where
there were none at first, and at 49 without a line: the lines named start programs and leave the wait to somebody, and a
heap profile or a trace shows them.`,
		Needs: []Need{{Kinds: []string{casefile.Neighbours}, Reason: "no account of the machine's processes",
			Why: "profiles do not show children that have ended", Capture: captureWatch}},
		Before:         `cmd.Start(); out, err := io.ReadAll(stdout); return out, err`,
		After:          `cmd.Start(); out, err := io.ReadAll(stdout); return out, errors.Join(err, cmd.Wait())`,
		Explains:       related(nil, "fd-limit"),
		Follows:        "a child whose end is awaited behind its output is not waited for meanwhile",
		IsWholeProcess: true,
		Effect:         "Processes that have ended pile up",
		Run:            runChildUnwaited,
	}
}

func runChildUnwaited(_ context.Context, r *Reading) Answer {
	if len(r.machines) == 0 {
		return Answer{}
	}
	m := &r.machines[len(r.machines)-1]
	now, came := float64(m.Zombies), float64(m.Zombies-m.ZombiesBefore)
	if came < 0 {
		return Answer{} // somebody does wait
	}
	limit := lookAheadCap
	where := startsPrograms(r)
	switch {
	case len(where) == 0:
		limit = capNotice
	case m.ZombiesBefore == 0:
		limit = capUnsure
	}
	scale := zombieScale()
	score := scale.Score(now)
	if score < worthKnowing {
		return Answer{}
	}
	score = max(min(score, limit), min(scale.Score(now+came*3600/m.Seconds), limit))
	return found(zombieFinding(m, where, score))
}

func zombieFinding(m *machineUse, where []casefile.Frame, score int) casefile.Finding {
	came := float64(m.Zombies - m.ZombiesBefore)
	place, title := "where a program is started", ""
	if len(where) > 0 {
		place = frameText(where[0])
		title = " at " + place
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("Programs that are started%s are not waited for: %s", title,
			things(float64(m.Zombies), "zombie")),
		Score: score, Confidence: 0.9,
		Summary: fmt.Sprintf("%s children of the process have ended, and it has not waited for them: %s more in %s.",
			count(float64(m.Zombies)), count(came), seconds(m.Seconds)),
		Explanation: "Each stays in the kernel's table, and where Go opened a descriptor for it, that stays until a " +
			"collection. When the table or the container's limit of processes is full, nothing can be started any more.",
		Where:    where,
		Impact:   casefile.Impact{Resource: "files", Text: things(float64(m.Zombies), "zombie")},
		Evidence: []casefile.Basis{{File: m.file, Kind: casefile.Neighbours, Text: "the machine's processes"}},
	}
	if row, ok := known.End(known.StartsCommand); ok {
		f.Remedies = append(f.Remedies, endAsKnown(place, row))
	}
	f.Remedies = append(f.Remedies, doChange("If it is the first process of a container, give that an init",
		"The kernel makes it the parent of all whose own parent has ended, and it has not started these: docker run "+
			"--init, or tini as the entry point, waits for them.", "none"))
	return f
}

// startsPrograms are the user's lines that call what starts a program and leaves the wait to them: by what those calls
// have allocated, and without a sample of it by a trace.
func startsPrograms(r *Reading) []casefile.Frame {
	starts := withWork(known.StartsProgram)
	if h := r.heap(); h != nil {
		es := stacks.SumBy(h.set, stacks.ByValue(h.set.Value("alloc_space", "bytes")),
			func(s *stacks.Sample) (stacks.FrameID, bool) {
				id, k := r.Table.UserFrame(s.Stack)
				return id, k > 0 && starts(r.Table.Func(s.Stack[k-1]))
			})
		if len(es) > 0 {
			return r.Frames(es, 2, stacks.SumOf(es), "starts programs (share of what that allocates)")
		}
	}
	if s, _ := r.Trace(); s != nil {
		for _, c := range s.Syscalls {
			for i := 1; i < len(c.Stack); i++ {
				if f := r.Traced(c.Stack[i-1]); r.IsUsers(c.Stack[i]) && starts(&f) {
					return []casefile.Frame{tracedFrame(c.Stack[i], 0, "starts programs")}
				}
			}
		}
	}
	return nil
}

package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// stealScale is in shares of the CPUs that the hypervisor took. Clouds alert on 10 %.
func stealScale() Scale { return Scale{Worth: 0.05, Hurts: 0.15, Top: 0.60} }

func cpuSteal() Detector {
	return Detector{
		ID:         "CPU021",
		Kind:       "cpu-steal",
		Title:      "The hypervisor takes the CPUs of the machine",
		OtherNames: []string{"steal"},
		Text: `A virtual machine's CPUs are threads of its host. When the host has too few, or the instance has used up what
it paid for (credits of burstable instances), the hypervisor lets others run while this machine has something to run:
steal time (proc_stat(5)). No process of this machine is to blame, and no setting in it helps.

Judges the share of the CPUs that the process may run on which was stolen around the trouble: worth knowing from 5 %,
hurting from 15 %. A notice at most unless users wait; nothing where requests are known to be on time. Hypervisors that
do not report steal time (some of Hyper-V and VMware) cannot be judged.`,
		Needs: []Need{{Kinds: []string{casefile.Neighbours, casefile.Vitals}, Reason: "no account of the machine's CPUs",
			Capture: captureWatch}},
		Before: "a burstable instance whose credits are used up: 20 % of each CPU is what remains",
		After:  "an instance type with full CPUs",
		// Locks, queues and spikes are the program's own as well, on a busy machine, too: this explains none of them away.
		Explains:       related(nil, "sched-latency"),
		IsWholeProcess: true,
		Follows:        "a machine that does not run answers nobody",
		Run:            runCPUSteal,
	}
}

func runCPUSteal(_ context.Context, r *Reading) Answer {
	v := r.machine()
	if v == nil || v.cpus <= 0 {
		return Answer{}
	}
	share := v.steal / v.cpus
	late := v.userWait(r)
	score := stealScale().Score(share)
	if !late.users {
		score = min(score, capNotice)
	}
	if late.onTime || score < worthKnowing || v.spare > neighbourSpare*v.cpus {
		return Answer{}
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("The hypervisor took %s", v.of(v.steal)), Score: score, Confidence: 0.9,
		Summary: fmt.Sprintf("Of the %s that the process may run on it used %s, others used %s, %s, and the "+
			"hypervisor gave %s to other machines.", things(v.cpus, "CPU"), cores(v.own), cores(v.other), v.left(),
			cores(v.steal)),
		Explanation: "A virtual machine that has something to run and does not get a CPU stands still: its clocks go " +
			"on, and nothing in it knows. Processes of this machine are not the cause, and neither is a CPU quota of " +
			"the process.",
		Where:    []casefile.Frame{{Function: "the process as a whole", Share: 1}},
		Evidence: v.basis(r),
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: percent(share) + " of the CPU is stolen", Gain: casefile.Gain{High: roundShare(share),
				Arithmetic: "on CPUs of its own"}},
		Remedies: []casefile.Remedy{
			doChange("Look at the instance's credits", "Burstable instances (T, B, e2-micro and the like) are held to a "+
				"fraction of their CPUs once their credits are used up; the cloud's console shows the balance. Take a "+
				"type with full CPUs, or unlimited credits.", "money"),
			doChange("Move the machine to another host", "On a host that is sold several times over, a stop and a start "+
				"often move an instance; dedicated CPUs or hosts end it. Of one's own hypervisor, give its machines fewer "+
				"virtual CPUs, or it more cores.", "a restart"),
			doChange("Need less CPU", "What the process does not ask for cannot be taken: its CPU profile shows what it "+
				"takes.", "work on the code"),
		},
	}
	if late.sign != "" {
		f.Summary += " " + upperFirst(late.sign) + "."
	}
	return found(f)
}

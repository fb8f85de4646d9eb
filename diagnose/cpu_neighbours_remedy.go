package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// memoryThreads are the kernel's, by its names.
var memoryThreads = [...]string{"kswapd0", "kswapd1", "kcompactd0", "zswap-shrink"}

// remedies follow from who the neighbour is, and from how the operating system weighs the two.
func (v *machineView) remedies(who []casefile.ProcessUse) []casefile.Remedy {
	if len(who) == 0 {
		return []casefile.Remedy{reserve(""), doChange("Find out who takes the CPU", "`top` on the machine itself, or "+
			"a capture while it lasts from outside of the container, names them.", "a look")}
	}
	o := who[0]
	if o.Kernel {
		return kernelRemedies(o)
	}
	var out []casefile.Remedy
	switch {
	case o.Client:
		out = append(out, doChange("Send the load from another machine", fmt.Sprintf("%s takes the CPU that the answers "+
			"need: what it measures is itself. Or give each its own CPUs (taskset).", upperFirst(called(o))),
			"a second machine"))
	default:
		out = append(out, doChange("Move one of the two", fmt.Sprintf("%s belongs on another machine, or at another "+
			"time of the day; in Kubernetes anti-affinity or a pool of nodes for batch work does that.",
			upperFirst(called(o))), "a machine, or a later result"))
	}
	return append(out, v.weigh(o), confine(o), reserve(o.Container))
}

// weigh lets the process go first where both want a CPU. What does that depends on where the two are: nice decides
// within a cgroup, and within a session where the kernel divides among sessions first (sched(7), autogroup).
func (v *machineView) weigh(o casefile.ProcessUse) casefile.Remedy {
	const price = "it is slower while the process needs the CPU, and not otherwise"
	pid := o.PID
	if o.JobPID > 0 {
		pid = o.JobPID
	}
	switch {
	case o.Container != "":
		return setValue("Fewer CPU shares for the container", fmt.Sprintf("`docker update --cpu-shares 128 %s`, or a "+
			"small requests.cpu in Kubernetes: of CPUs that both want it then gets an eighth of what a container of "+
			"1,024 shares gets. nice has no effect between containers.", o.Container), price)
	case !o.SameGroup && o.Unit != "":
		return setValue("A smaller CPUWeight for "+o.Unit, fmt.Sprintf("`systemctl set-property %s CPUWeight=10`: of "+
			"CPUs that both want it then gets a tenth of what a unit of 100 gets. nice has no effect between cgroups.",
			o.Unit), price)
	case !o.SameGroup:
		return setValue("A smaller weight for its cgroup", fmt.Sprintf("cpu.weight (v2) or cpu.shares (v1) of the cgroup "+
			"of process %d. nice has no effect between cgroups.", pid), price)
	case v.use.Autogroup && !o.SameSession:
		return setValue("nice 19 for its session", fmt.Sprintf("`echo 19 > /proc/%d/autogroup`: this kernel divides the "+
			"CPUs among sessions first (sched_autogroup_enabled), so that renice of the process alone has no effect.",
			pid), price)
	}
	return setValue("nice 19", fmt.Sprintf("`renice -n 19 -p %d`, or start it with `nice -n 19`: of CPUs that both want "+
		"it then gets a sixtieth of what the process gets.", pid), price)
}

// confine leaves some CPUs to the process.
func confine(o casefile.ProcessUse) casefile.Remedy {
	if o.Container != "" {
		return setValue("A CPU limit, or a set of CPUs, for the container", fmt.Sprintf("`docker update --cpus 1 %s` or "+
			"`--cpuset-cpus`; limits.cpu in Kubernetes.", o.Container), "it gets no more even where CPUs are idle")
	}
	return setValue("Bind it to some of the CPUs", fmt.Sprintf("`taskset -a -c -p 1 %d` leaves the others to the "+
		"process; AllowedCPUs= or CPUQuota= in systemd.", o.PID), "it gets no more even where CPUs are idle")
}

// reserve gives the process its part whatever runs beside it.
func reserve(container string) casefile.Remedy {
	text := "requests.cpu in Kubernetes, --cpu-shares in Docker, CPUWeight= in systemd: as much as it uses under load. " +
		"The scheduler of a cluster counts requests, too, and puts no more onto a machine than fit."
	if container == "" {
		text += " A process without a cgroup of its own has nothing of this: start it as a unit or in a container."
	}
	return setValue("Reserve CPU for the process", text, "neighbours wait instead")
}

// kernelRemedies are for threads of the kernel, which cannot be moved.
func kernelRemedies(o casefile.ProcessUse) []casefile.Remedy {
	text := "They work for somebody: `perf top -g` or /proc/interrupts show for whom."
	switch {
	case slices.Contains(memoryThreads[:], o.Name):
		text = "It looks for memory to free, so memory is what is short: see memory_pressure, and who uses most memory."
	case o.Name == "ksoftirqd":
		text = "It works on packets that came faster than interrupts could: see machine_softirq, and spread the " +
			"network card's queues over the CPUs (RSS, RPS)."
	}
	return []casefile.Remedy{doChange("See what the kernel's threads work for", text, "a look"), reserve("")}
}

package casefile

// A MachineUse is what the CPUs of a machine did for a while, and for whom: evidence of the kind Neighbours. CPU is in
// cores: CPU seconds a second. Of other processes it has what `top` shows, and neither their arguments nor their files.
type MachineUse struct {
	Seconds float64 `json:"seconds"` // what it spans
	CPUs    float64 `json:"cpus"`    // of the machine

	All  CPUUse `json:"all"`  // of all CPUs
	Ours CPUUse `json:"ours"` // of those that the process may run on

	Own ProcessUse `json:"own"` // of the process itself
	// Zombies are its children that have ended and that it has not waited for, at the end of the span; ZombiesBefore
	// those at its begin. Where nobody counted them both are 0.
	Zombies       int `json:"zombies,omitempty"`
	ZombiesBefore int `json:"zombies_before,omitempty"`
	// Waiting is how many of its threads could run and waited for a CPU, on average, whoever had it; Waits is how often
	// that ended, a second. Nil where the kernel does not say.
	Waiting *float64 `json:"waiting,omitempty"`
	Waits   *float64 `json:"waits,omitempty"`

	Others []ProcessUse `json:"others"` // those that used most CPU, and those that read and wrote most
	// Unseen is CPU that was used by no process that could be seen: of other containers, or by what came and went
	// within moments.
	Unseen float64 `json:"unseen"`
	// Autogroup is true if the kernel divides the CPUs among sessions first, so that nice counts within a session only.
	Autogroup bool `json:"autogroup,omitempty"`
}

// A CPUUse is what some CPUs did, in cores: the sum is how many they are.
type CPUUse struct {
	User       float64 `json:"user"`
	System     float64 `json:"system"`     // the kernel, for processes and its own threads
	Interrupts float64 `json:"interrupts"` // hard and soft, most of these packets of the network
	IOWait     float64 `json:"iowait"`     // idle, and a task that ran there waits for a disk
	Steal      float64 `json:"steal"`      // the hypervisor ran another machine
	Idle       float64 `json:"idle"`
}

// Busy is how many of the CPUs were used.
func (u CPUUse) Busy() float64 { return u.User + u.System + u.Interrupts }

// Spare is how many of them nobody used.
func (u CPUUse) Spare() float64 { return u.Idle + u.IOWait }

// Total is how many CPUs they are.
func (u CPUUse) Total() float64 { return u.Busy() + u.Spare() + u.Steal }

// A ProcessUse is what a process, or a job of several (a build, a server with a process for each connection), used.
type ProcessUse struct {
	PID       int    `json:"pid"`           // of the process of it that used most
	Name      string `json:"name"`          // of that: the kernel's comm, 15 bytes at most
	Job       string `json:"job,omitempty"` // the name of the process that started the others, where that is another
	JobPID    int    `json:"job_pid,omitempty"`
	Processes int    `json:"processes"` // that were seen

	User   float64 `json:"user"`
	System float64 `json:"system"`
	Ended  float64 `json:"ended,omitempty"` // cores of its children that came and went, or ended, meanwhile

	Read    float64 `json:"read,omitempty"`    // bytes/s from disks; 0 where it may not be read
	Written float64 `json:"written,omitempty"` // bytes/s to disks

	Nice      int    `json:"nice,omitempty"`
	Unit      string `json:"unit,omitempty"`      // of systemd: "postgresql.service"
	Container string `json:"container,omitempty"` // the first 12 digits of its ID
	// SameGroup is true if it is in the same cgroup of CPU as the process: only then nice decides between the two.
	SameGroup   bool `json:"same_group,omitempty"`
	SameSession bool `json:"same_session,omitempty"`
	Elsewhere   bool `json:"elsewhere,omitempty"` // it may run on none of the CPUs of the process
	Child       bool `json:"child,omitempty"`     // the process has started it
	// Server is true if the process has a connection to it, and Client if it has one to the process: as far as the kernel
	// tells whose sockets are whose.
	Server   bool `json:"server,omitempty"`
	Client   bool `json:"client,omitempty"`
	Kernel   bool `json:"kernel,omitempty"`   // threads of the kernel
	Casebook bool `json:"casebook,omitempty"` // the watch itself
}

// CPU is what it used in all.
func (p ProcessUse) CPU() float64 { return p.User + p.System + p.Ended }

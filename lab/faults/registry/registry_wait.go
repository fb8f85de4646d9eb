package registry

import (
	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/chan_bottleneck"
	"github.com/gocasebook/casebook/lab/faults/conn_shared"
	"github.com/gocasebook/casebook/lab/faults/connection_leak"
	"github.com/gocasebook/casebook/lab/faults/gc_stw"
	"github.com/gocasebook/casebook/lab/faults/gomaxprocs_mismatch"
	"github.com/gocasebook/casebook/lab/faults/goroutine_deadlock"
	"github.com/gocasebook/casebook/lab/faults/goroutine_leak"
	"github.com/gocasebook/casebook/lab/faults/goroutine_stuck"
	"github.com/gocasebook/casebook/lab/faults/goroutine_surge"
	"github.com/gocasebook/casebook/lab/faults/io_fsync"
	"github.com/gocasebook/casebook/lab/faults/io_log"
	"github.com/gocasebook/casebook/lab/faults/lock_contention"
	"github.com/gocasebook/casebook/lab/faults/lock_held_io"
	"github.com/gocasebook/casebook/lab/faults/lock_never_released"
	"github.com/gocasebook/casebook/lab/faults/lock_rwmutex"
	"github.com/gocasebook/casebook/lab/faults/lock_syncmap"
	"github.com/gocasebook/casebook/lab/faults/net_dns_tls"
	"github.com/gocasebook/casebook/lab/faults/net_no_keepalive"
	"github.com/gocasebook/casebook/lab/faults/overload"
	"github.com/gocasebook/casebook/lab/faults/sched_hog"
	"github.com/gocasebook/casebook/lab/faults/sched_latency"
	"github.com/gocasebook/casebook/lab/faults/startup_only"
	"github.com/gocasebook/casebook/lab/faults/syscall_long"
	"github.com/gocasebook/casebook/lab/faults/thread_surge"
)

// waitFaults are those of goroutines, locks, channels and the network.
func waitFaults() []faults.Fault {
	return []faults.Fault{
		goroutine_leak.Fault(),
		goroutine_leak.Proved(),
		goroutine_stuck.Fault(),
		goroutine_deadlock.Fault(),
		connection_leak.Fault(),
		lock_held_io.Fault(),
		conn_shared.Fault(),
		lock_never_released.Fault(),
		lock_rwmutex.Fault(),
		chan_bottleneck.Fault(),
		goroutine_surge.Fault(),
		lock_contention.Fault(),
		lock_syncmap.Fault(),
		net_dns_tls.Fault(),
		net_dns_tls.Transport(),
		net_no_keepalive.Fault(),
		thread_surge.Fault(),
		sched_latency.Fault(),
		sched_hog.Fault(),
		gomaxprocs_mismatch.Fault(),
		overload.Fault(),
		gc_stw.Fault(),
		gc_stw.Dump(),
		syscall_long.Fault(),
		io_log.Fault(),
		io_fsync.Fault(),
		startup_only.Fault(),
	}
}

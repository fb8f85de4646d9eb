package main

import (
	"syscall"
	"time"
)

func kernelSleep(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // a signal may cut it short by less than 2 ms
}

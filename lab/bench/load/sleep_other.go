//go:build !linux

package main

import "time"

func kernelSleep(d time.Duration) { time.Sleep(d) }

//go:build !linux

package main

import "os/exec"

func ownSession(*exec.Cmd) {}

func urgent(int) {}

//go:build !linux

package gctune

func beChild() {} // the tests with processes of their own run only on Linux

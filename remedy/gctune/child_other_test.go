//go:build !linux

package gctune

func beChild() {} // the tests with processes of their own are Linux's

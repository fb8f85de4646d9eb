//go:build !unix

package main

import "log"

func file(int) { log.Fatal("files are mapped on Unix only") }

func anonymous(int) { log.Fatal("memory is mapped on Unix only") }

//go:build unix

package main

import (
	"log"
	"os"
	"syscall"
)

// file maps a file of so many bytes, and reads each page of it.
func file(n int) {
	f, err := os.CreateTemp("", "planted-*.db")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	defer os.Remove(f.Name())
	block := make([]byte, 1<<20)
	for range n >> 20 {
		if _, err := f.Write(block); err != nil {
			log.Fatal(err)
		}
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ, syscall.MAP_SHARED)
	touch(data, err)
}

func anonymous(n int) {
	data, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err == nil {
		for i := 0; i < n; i += 4096 {
			data[i] = 1
		}
	}
	touch(data, err)
}

// touch reads each page, so that it is resident.
func touch(data []byte, err error) {
	if err != nil {
		log.Fatal(err)
	}
	sum := 0
	for i := 0; i < len(data); i += 4096 {
		sum += int(data[i])
	}
	planted = append(planted, data, sum)
}

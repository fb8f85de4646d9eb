package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

var units = map[string]int64{"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}

// parseSize reads a size as Kubernetes writes it: 512Mi.
func parseSize(s string) (int64, error) {
	for u, n := range units {
		if v, ok := strings.CutSuffix(s, u); ok {
			x, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return 0, fmt.Errorf("size %q: %w", s, err)
			}
			return x * n, nil
		}
	}
	return 0, errors.New("size without a unit: " + s)
}

// memoryRequest is what the deployment asks the cluster for.
func memoryRequest() string {
	if s := os.Getenv("MEMORY_REQUEST"); s != "" {
		return s
	}
	return "96Mi"
}

// limitMemory tells the collector how much there is, less a tenth for what is not the heap.
func limitMemory() error {
	n, err := parseSize(memoryRequest())
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(n / 10 * 9)
	return nil
}

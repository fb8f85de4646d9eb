//go:build unix

package main

import (
	"net/http"
	"syscall"
)

// tiles: a picture is put together in memory that is mapped for it, and that is not unmapped where the picture is
// refused (VictoriaMetrics/fastcache issue 55 loses its chunks so). C's malloc gets such a piece in the same way.
func tiles() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tile, err := syscall.Mmap(-1, 0, 256<<10, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		for i := range tile {
			tile[i] = byte(i)
		}
		if tile[100] != 0 {
			http.Error(w, "too dark", http.StatusUnprocessableEntity)
			return
		}
		_ = syscall.Munmap(tile)
	}
}

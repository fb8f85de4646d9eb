// Tokens of a prompt, counted by a library in C.
package main

/*
#include <ctype.h>
#include <stdlib.h>

static int count_tokens(const char *text) {
	int n = 0, in = 0;
	for (; *text; text++) {
		int word = isalnum((unsigned char)*text);
		if (word && !in) n++;
		if (ispunct((unsigned char)*text)) n++;
		in = word;
	}
	return n;
}
*/
import "C"

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"unsafe"
)

type counter struct{ free bool }

func (c *counter) tokens(prompt string) int {
	text := C.CString(prompt)
	if c.free {
		defer C.free(unsafe.Pointer(text))
	}
	return int(C.count_tokens(text))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8308", "address to serve on")
	fixed := flag.Bool("fixed", false, "free the text")
	flag.Parse()
	c := &counter{free: *fixed}
	http.HandleFunc("POST /tokens", func(w http.ResponseWriter, r *http.Request) {
		prompt, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, c.tokens(string(prompt)))
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}

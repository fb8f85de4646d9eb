package casebook

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/gocasebook/casebook/instance"
)

// WriteHeapDump writes a file for `casebook heap`, which says who holds this process's memory. It has the contents of
// the whole heap, with every secret in it, and is about as large: mode 0600.
//
// It is for a process that is about to end, or one that can be missed for a while. The world stands still while it is
// written, for seconds per GiB (docs/heapdump.md). In Go 1.26 and 1.27 the runtime ends the process if a goroutine
// comes back from a system call in the microsecond in which its state is read (dumpgs in runtime/heapdump.go). That is
// why no rule takes one.
//
// An existing file is replaced when the dump is complete. Two calls must not write the same file.
func WriteHeapDump(file string) error {
	part := file + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("writing a heap dump: %w", err)
	}
	if err = errors.Join(dumpInto(f), f.Close()); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return fmt.Errorf("writing a heap dump: %w", errors.Join(err, os.Remove(part)))
	}
	return nil
}

// dumpInto writes a dump into an empty file.
func dumpInto(f *os.File) error {
	runtime.GC() // what is garbage now need not be written
	debug.WriteHeapDump(f.Fd())
	return complete(f)
}

// complete finds out whether all of a dump was written: the runtime does not say. A disk without room has none for one
// more byte either; readers stop before it.
func complete(f *os.File) error {
	if _, err := f.Write([]byte{0}); err != nil {
		return err
	}
	return f.Sync()
}

// Seconds of stopped world a GiB of heap (docs/heapdump.md): the low one with 2 KiB an object on an idle machine, the
// high one with 67 bytes an object on one with ten times more to do than CPUs.
const (
	dumpSecondsLow  = 2.5
	dumpSecondsHigh = 18
)

// PriceOfHeapDump is what a heap dump would cost this process now, by the size of its heap. It stops nothing.
func PriceOfHeapDump() instance.HeapDumpPrice {
	read := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/objects:objects"}}
	metrics.Read(read)
	p := instance.HeapDumpPrice{Bytes: read[0].Value.Uint64(), Objects: read[1].Value.Uint64()}
	gib := float64(p.Bytes) / (1 << 30)
	p.Low, p.High = dumpSecondsLow*gib, dumpSecondsHigh*gib
	return p
}

package stacks

import (
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/room"
)

// How much a table reads follows the memory that the process may have (package room): a profile that a larger machine
// can read must not kill a watcher in a small container. The number of a file's records shows how much memory it will
// need before it is decoded.

// What records use once they are read, in bytes. A million samples of 50 addresses, 60 MB as they come, took 350 MB.
const (
	sampleBytes   = 72  // Sample, and one value; further values are counted among the numbers
	numberBytes   = 4   // FrameID; of a value, which has 8, the sample's own are the most
	tableBytes    = 200 // a function with its names' headers, a location, and their entries in maps
	legacyTimes   = 32  // the memory of google/pprof's parsers of old forms, by the size of the file
	shareOfFrames = 2   // one part in this many of the room is for stacks
)

// left is how many bytes are still available.
func (t *Table) left() int64 { return max(t.room-t.held, 0) }

// Left is how many bytes a Reading may still use for evidence that is not stacks, and Hold says that it uses some: what
// is read of one case has one bound.
func (t *Table) Left() int64 { return t.left() }

// Hold is described at Left.
func (t *Table) Hold(bytes int64) { t.held += bytes }

// bytes is roughly how much a profile of size bytes uses while it is being read, itself included.
func (c wireCount) bytes(size int) int64 {
	return int64(size) + sampleBytes*int64(c.samples) + numberBytes*int64(c.ids+c.parts) + tableBytes*int64(c.table)
}

// mostFrames bounds the frames of all stacks of a file.
func (t *Table) mostFrames() int { return int(min(maxFrames, t.left()/numberBytes/shareOfFrames)) }

// fits refuses what would use more than is left.
func (t *Table) fits(bytes int64) *Problem {
	if left := t.left(); bytes > left {
		return problem(readElsewhere, "not read: it would take %s of memory, and this process has %s left for evidence",
			number.Bytes(float64(bytes)), number.Bytes(float64(left)))
	}
	return nil
}

const readElsewhere = "read it where there is more memory (casebook diagnose CASE), or raise the limit of this " +
	"process (its cgroup's, GOMEMLIMIT)"

// readable is the most that an empty table reads.
func readable() int64 { return min(room.Parsing(), maxHeld) }

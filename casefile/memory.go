package casefile

import "time"

// A ProcessMemory is what the kernel tells of the memory of a process at one moment, in bytes: part of evidence of the
// kind Runtime. It is from /proc/PID/status, and from /proc/PID/smaps where that may be read.
type ProcessMemory struct {
	RSS       int64 `json:"rss"`       // resident
	Anonymous int64 `json:"anonymous"` // of it: of no file
	File      int64 `json:"file"`      // of it: pages of files, page cache that the process has mapped
	Shared    int64 `json:"shared"`    // of it: shared memory, and files of a tmpfs
	Swapped   int64 `json:"swapped"`   // not resident

	Mapped *MappedMemory `json:"mapped,omitempty"` // nil where the mappings were not read
	Group  *GroupMemory  `json:"group,omitempty"`  // nil without a cgroup of its own
}

// MappedMemory is the resident memory of a process by what its mappings are. RSS is the sum of the first six.
type MappedMemory struct {
	RSS       int64 `json:"rss"`
	Heap      int64 `json:"heap"`      // in the arenas of the Go heap, with the goroutines' stacks
	Runtime   int64 `json:"runtime"`   // that the Go runtime has named as its own; 0 where the kernel keeps no names
	Program   int64 `json:"program"`   // the program's file with its variables, and shared libraries
	Files     int64 `json:"files"`     // other files
	Shared    int64 `json:"shared"`    // shared memory
	Anonymous int64 `json:"anonymous"` // all other: C, mmap, threads' stacks, and the runtime's own without a name

	Arenas   int64 `json:"arenas"`    // how much of the Go heap's arenas may be used, resident or not; 0: not found
	CHeap    int64 `json:"c_heap"`    // of Anonymous: the break, which C's malloc uses
	LazyFree int64 `json:"lazy_free"` // of Heap: given back by MADV_FREE, and taken by the kernel when it needs them

	Largest []MappedFile `json:"largest_files,omitempty"` // of Files, three at most
}

// A MappedFile is a file of which pages are resident in a process.
type MappedFile struct {
	Name string `json:"name"` // without its folder
	RSS  int64  `json:"rss"`
}

// GroupMemory is what the cgroup of a process is charged for, in bytes: the group's limit counts it, whoever in the
// group uses it.
type GroupMemory struct {
	Usage     int64 `json:"usage"`
	Anonymous int64 `json:"anonymous"`
	PageCache int64 `json:"page_cache"` // of files, mapped or only read and written; without shared memory
	Shared    int64 `json:"shared"`
	Kernel    int64 `json:"kernel"` // 0 where the group does not tell (v1)
}

// A MemoryTable says what the resident memory of the process is made of. The rows add up to the total: the last is
// what no evidence explains, and may be negative.
type MemoryTable struct {
	What  string      `json:"what"`  // what the total is: "resident" or, where that is not known, "held by Go"
	Total int64       `json:"total"` // bytes
	Taken time.Time   `json:"taken"` // of the total; zero where the evidence does not say
	File  string      `json:"file"`  // the evidence of the total
	Text  string      `json:"text"`  // the largest parts for people: "412 MiB resident: 78 % live heap objects, 12 % …"
	Rows  []MemoryRow `json:"rows"`
	// Beside are sizes that are not part of the total: the page cache of the container, what is swapped out.
	Beside []MemoryRow `json:"beside,omitempty"`
}

// Of is what the rows' shares are of: the total, unless one is larger, as a heap is that was mostly never written to;
// then all rows but the subtracted.
func (t *MemoryTable) Of() int64 {
	all, largest := int64(0), int64(0)
	for _, r := range t.Rows {
		if r.Bytes != nil {
			all, largest = all+max(*r.Bytes, 0), max(largest, *r.Bytes)
		}
	}
	if largest > t.Total {
		return all
	}
	return t.Total
}

// A MemoryRow is one part of a MemoryTable.
type MemoryRow struct {
	Kind  string `json:"kind"`            // a stable slug: "live", "garbage", "holes" …
	Name  string `json:"name"`            // for people
	Bytes *int64 `json:"bytes,omitempty"` // nil: not known. Negative where it is subtracted
	Text  string `json:"text,omitempty"`  // what it is, or why it is not known
	// Taken is when the size was read, if that is more than a second from the total's time.
	Taken *time.Time `json:"taken,omitempty"`
	File  string     `json:"file,omitempty"` // the evidence; empty for what follows from other rows
}

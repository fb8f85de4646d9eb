package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The kinds of this file are system calls on files. There could be fewer of them.

func ioSmall() Detector {
	d := smallFiles().detector()
	files := d.Run
	d.OtherNames = []string{"io-unbatched"}
	d.Title = "Files, pipes or connections are read or written in small pieces"
	d.Text += "\n\n" + connectionText
	d.Remedies = slices.Concat(d.Remedies, connectionRemedies())
	// Who holds a lock over the pieces of a message holds it for as long as all of them take, and with a buffer for
	// one.
	d.Explains = append(d.Explains, related(piecesMentioned, "lock-held-io", "lock-contention")...)
	d.Absorbs = []Relation{{Kind: "syscall-long", If: SameLine, When: smallFilePieces}}
	d.Run = func(ctx context.Context, r *Reading) Answer {
		a, b := withCounts(r, files(ctx, r)), ioConnections(r)
		return Answer{Findings: slices.Concat(a.Findings, b.Findings), Undecided: slices.Concat(a.Undecided,
			b.Undecided)}
	}
	return d
}

// withCounts leaves out a finding on files whose calls are known to move much, and says of others what the kernel
// counted.
func withCounts(r *Reading, a Answer) Answer {
	if len(a.Findings) == 0 || r.cpu() == nil {
		return a
	}
	p := filePieces(r)
	if p.large() {
		return Answer{}
	}
	f := &a.Findings[0]
	f.Summary = extended(f.Summary, p.counted()+".")
	if size := p.size(); size > 0 {
		f.Summary += fmt.Sprintf(" A buffer of %d KiB makes one call of %s.", fileBuffer>>10, count(fileBuffer/size))
	}
	return a
}

// filePieces is what the kernel counted of the reads of files, or of the writes, whichever take more.
func filePieces(r *Reading) *pieces {
	p := &pieces{traffic: newTraffic(r, r.cpu()), write: true}
	reads := 0.0
	for i := range p.v.set.Samples {
		s := &p.v.set.Samples[i]
		if s.Class != stacks.Syscall {
			continue
		}
		for _, id := range s.Stack {
			switch f := r.Table.Func(id); {
			case f.Does(known.WritesFile):
				p.kernel += float64(p.v.weight(s))
			case f.Does(known.ReadsFile):
				reads += float64(p.v.weight(s))
			}
		}
	}
	if reads > p.kernel {
		p.write, p.kernel = false, reads
	}
	return p
}

// smallFilePieces reports whether the kernel's counts say that calls on files move little each: then what waits for
// one waits for their number, and a buffer cures both.
func smallFilePieces(r *Reading) bool {
	if r.cpu() == nil {
		return false
	}
	size := filePieces(r).size()
	return size > 0 && size <= smallPiece
}

// fileBuffer is the size of a buffer for a file that is written for as long as the service runs, in bytes.
const fileBuffer = 64 << 10

// smallFiles is the row of files and pipes.
func smallFiles() costKind {
	return costKind{
		id: "IO001", kind: "io-small", title: "Files are read or written in small pieces",
		what:   "Unbuffered file input and output",
		whatOf: map[known.Work]string{known.SyncsFile: "Forcing records to the disk one by one"},
		looks: "Looks for reads and writes of os.File, which files and pipes to other processes are, that lines of " +
			"the user's code make without a bufio.Reader or Writer in between (fmt.Fprintf, io.WriteString, " +
			"encoding/binary and templates count for the line). No profile shows how many bytes a call moves, so a " +
			"few large writes look like many small ones.",
		scale: ioScale(), scaleWhy: "a system call costs 0.3–1 µs before it moves a " +
			"byte: 10 % of the CPU is 100,000 per second and core.",
		cap: capUnsure,
		match: match{own: true, inner: true, calls: []known.Work{known.CallsOnFile, known.SyncsFile},
			through: []known.Work{known.PassesToFile}},
		gain: ioGain, gainWhy: ioGainWhy,
		explanation: "Each Write or Read on an os.File is one system call. Small pieces cost the same as large ones. " +
			"Sync also waits for the disk, 0.1 to 10 ms each time, which no CPU profile shows.",
		fixes: []Remedy{
			byPackage(known.FileSync, "One Sync for many records (group commit)",
				"At {line}: github.com/gocasebook/casebook/remedy/batch gathers the records of all callers, writes "+
					"them with one Write and one Sync, and answers each when it is on the disk.",
				"a record waits for the batch before it, as long as one Sync takes"),
			byChange(known.FileRead, "Read through a buffer", fmt.Sprintf("At {line}: r := bufio.NewReaderSize(f, "+
				"%d<<10) "+
				"once for the file, and read everything from r (io.ReadFull, binary.Read, bufio.Scanner, a decoder).",
				fileBuffer>>10), "the file's own position is then ahead of what was read: no Seek beside the buffer"),
			byChange("", "Put a buffer between", fmt.Sprintf("At {line}: use bufio.NewWriterSize(f, %d<<10) with "+
				"a Flush at the end and on a timer, or bufio.NewReader.", fileBuffer>>10),
				"unflushed data is lost in a crash").but(known.FileSync, known.FileRead),
			byChange("", "Write several at once",
				"Gather records in memory and write them together; one Sync for all of them (group commit).",
				"a record waits for the next write").but(known.FileSync, known.FileRead),
		},
		next: "strace -c -f -p PID counts the calls, and strace -e trace=write,read shows their sizes; an " +
			"execution trace shows their times.",
		before: `for _, r := range records { fmt.Fprintf(f, "%d,%s\n", r.ID, r.Name) }`,
		after: `w := bufio.NewWriter(f)
for _, r := range records { fmt.Fprintf(w, "%d,%s\n", r.ID, r.Name) }
return w.Flush()`,
	}
}

func ioReread() Detector {
	return costKind{
		id: "IO002", kind: "io-reread", title: "Files are opened and read again and again",
		what: "Opening and reading files",
		looks: "Looks for os.ReadFile, Open, Stat, ReadDir (not OpenFile, which also creates) and walking folders by " +
			"lines of the user's own code. A profile does not show whether they are the same files each time; a file " +
			"server must open them, through net/http or a library, so those do not count; nor does a function that " +
			"calls itself, which walks a tree.",
		scale: Scale{Worth: 0.10, Hurts: 0.40, Top: 0.80}, scaleWhy: "opening, reading and closing a small file " +
			"takes 5–20 µs of system calls: 10 % of the CPU is 5,000 files per second and core.",
		cap: capUnsure,
		match: match{own: true, once: true, calls: []known.Work{known.FindsFile},
			through: []known.Work{known.PassesToNamed}},
		gain: [2]float64{0.7, 0.95}, gainWhy: "data kept in memory needs no system call",
		explanation: "Configuration, templates, keys and small assets are in the page cache when they are read for " +
			"each request, but opening, reading and closing still take a system call each and allocate.",
		fixes: []Remedy{
			byChange(known.Stat, "Ask less often", "At {line}: check for changes once a second, or get notified "+
				"(github.com/fsnotify/fsnotify).", "a change is noticed a little later"),
			byChange("", "Read it once", "At {line}: read it at start-up, or embed it with embed.FS at build time.",
				"a restart to pick up changes").needs(casefile.NeedsSameInput),
			byChange("", "Keep it and check for changes", "One goroutine that stats the file every second and swaps "+
				"an atomic.Pointer.", "a change is noticed a second late"),
		},
		next:   "strace -e trace=openat -f -p PID shows which files they are.",
		before: `cfg, _ := os.ReadFile("limits.json") // for every request`,
		after:  `cfg := limits.Load() // atomic.Pointer, refreshed by one goroutine`,
	}.detector()
}

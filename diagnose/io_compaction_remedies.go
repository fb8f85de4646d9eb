package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// largeRemedies keep large values out of what is merged. Those of a store come before those of any.
func largeRemedies() []Remedy {
	const again = "garbage among the values must be collected, and reading a range takes a seek for each"
	return []Remedy{
		byChange(known.Pebble, "Values in files of their own", "Where the store of {line} is opened: "+
			"Options.Experimental.ValueSeparationPolicy with MinimumSize 4<<10 (Pebble v2.1 and FormatNewest; "+
			"v2.0 and v1 have none: see the next). If values are smaller than that, it takes none of them: then "+
			"MemTableSize 64<<20, and an L0CompactionThreshold of 8, merge each less often.", again),
		byChange(known.Badger, "Values in the value log", "Where the store of {line} is opened: "+
			"Options.WithValueThreshold(4<<10). The default of v3 and v4 has all values below 1 MiB in the tables "+
			"that are merged. Call RunValueLogGC on a timer. If values are smaller: WithMemTableSize(128<<20).", again),
		byChange("", "Keep large values outside the store", "At {line}: write the value to a file of its own, or "+
			"append it to a log, and put only its name, offset and length into the store.",
			"two writes must agree: the value first, then the reference; what nobody refers to must be removed"),
		byChange("", "Compress values before they are written", "At {line}: s2 or zstd at its fastest level makes "+
			"everything less that is merged later; leave out what is compressed already.", "CPU for each value once"),
		byValue("", "Gather more before the first merge", "A larger memory table (Pebble MemTableSize, goleveldb "+
			"WriteBuffer, badger MemTableSize) makes fewer and larger files: a value that is replaced meanwhile is "+
			"never written to one.", "memory, and a longer start after a crash"),
	}
}

// smallRemedies make fewer merges of many small records.
func smallRemedies() []Remedy {
	return []Remedy{
		byValue(known.Pebble, "A larger memory table, and more in level 0", "Where the store of {line} is opened: "+
			"MemTableSize 64<<20, L0CompactionThreshold 4 to 8, LBaseMaxBytes as large as what level 0 holds.",
			"memory; reads look into more files"),
		byValue(known.GoLevelDB, "A larger memory table, and more in level 0", "Where the store of {line} is opened: "+
			"opt.Options WriteBuffer 64<<20, CompactionL0Trigger 8, CompactionTableSize 8<<20.",
			"memory; reads look into more files"),
		byValue(known.Badger, "A larger memory table, and more in level 0", "Where the store of {line} is opened: "+
			"WithMemTableSize(128<<20), WithNumLevelZeroTables(10), WithBaseLevelSize(64<<20).",
			"memory; reads look into more files"),
		byChange("", "Write many records together", "At {line}: a batch for what belongs together, sorted where the "+
			"order is free; one record where several small ones are read together.", "a record waits for its batch"),
		byValue("", "Fewer merges", "Larger memory tables and more files before a merge: each record is merged less "+
			"often.", "memory; reads look into more files"),
	}
}

// forStore leaves out what is for other stores, and keeps three.
func forStore(rs []Remedy, lib string) (out []Remedy) {
	for _, r := range rs {
		if r.Calls == "" || strings.HasPrefix(lib, strings.TrimSuffix(r.Calls, "/")) {
			out = append(out, r)
		}
	}
	return out[:min(len(out), 3)]
}

package known

// memory are the functions that allocate, or copy, for whoever calls them.
func memory() []Row {
	return []Row{
		{Work: OfRuntime, Functions: []string{"runtime.", "internal/runtime/", "sync/atomic."}},
		{Work: MakesObject, Functions: []string{"runtime.makeslice*", "runtime.newobject", "runtime.newarray",
			"runtime.makeslicecopy"}},
		{Work: MakesLarge, Functions: []string{"runtime.mallocgcLarge"}},

		{Work: OfMap, Functions: []string{"internal/runtime/maps.", "runtime.(*hmap)"}},
		{Work: MakesMap, Functions: []string{"runtime.makemap*", "runtime.hashGrow", "runtime.growWork*",
			"runtime.evacuate*", "runtime.makeBucketArray", "internal/runtime/maps.NewMap",
			"internal/runtime/maps.NewEmptyMap", "internal/runtime/maps.newTable", "internal/runtime/maps.newGroups",
			"internal/runtime/maps.newarray", "internal/runtime/maps.(*table).grow",
			"internal/runtime/maps.(*table).rehash", "internal/runtime/maps.(*table).split",
			"internal/runtime/maps.(*Map).growToSmall", "internal/runtime/maps.(*Map).growToTable"}},
		{Work: FillsMap, Functions: []string{"runtime.mapassign*"}},
		{Work: CopiesMap, Functions: []string{"runtime.mapclone*", "maps.Copy", "maps.Clone"}},
		{Work: BeginsWalk, Functions: []string{"runtime.mapIterStart", "runtime.mapiterinit",
			"internal/runtime/maps.(*Iter).Init"}},
		{Work: StepsMap, Functions: []string{"runtime.mapIterNext", "runtime.mapiternext",
			"internal/runtime/maps.(*Iter).Next", "sync.(*Map).Range"}},

		{Work: MakesStream, Functions: []string{"bufio.NewReader*", "bufio.NewWriter*", "bufio.NewScanner",
			"bufio.(*Scanner).Buffer", "compress/flate.NewWriter*", "compress/flate.NewReader*",
			"compress/flate.(*compressor).init*", "compress/flate.newHuffmanBitWriter",
			"compress/flate.newHuffmanEncoder", "compress/flate.newDeflateFast", "compress/flate.(*dictDecoder).init",
			"compress/gzip.NewReader", "compress/gzip.NewWriter*", "compress/gzip.(*Reader).Reset",
			"compress/zlib.NewReader*", "compress/zlib.NewWriter*", "compress/lzw.New*",
			"github.com/klauspost/compress/flate.NewWriter*", "github.com/klauspost/compress/flate.(*compressor).init*",
			"github.com/klauspost/compress/gzip.NewReader", "github.com/klauspost/compress/gzip.NewWriter*",
			"github.com/klauspost/compress/zstd.NewWriter", "github.com/klauspost/compress/zstd.NewReader",
			"github.com/klauspost/compress/zstd.(*fastBase).ensureHist",
			"github.com/klauspost/compress/zstd.(*Encoder).initialize",
			"github.com/klauspost/compress/zstd.encoderOptions.encoder",
			"github.com/klauspost/compress/zstd.(*blockEnc).init",
			"github.com/klauspost/compress/zstd.(*history).ensureBlock*",
			"github.com/klauspost/compress/zstd.(*blockDec).reset",
			"github.com/klauspost/compress/zstd.(*history).allocFrameBuffer",
			"github.com/klauspost/compress/s2.NewWriter",
			"github.com/andybalholm/brotli.NewWriter*", "github.com/andybalholm/brotli.hasherSetup",
			"github.com/andybalholm/brotli.ringBufferInitBuffer", "github.com/golang/snappy.NewBufferedWriter",
			"encoding/csv.NewReader", "encoding/gob.NewEncoder", "encoding/gob.NewDecoder", "encoding/gob.compileEnc"}},
		{Work: MakesCodecLate, Functions: []string{"compress/gzip.NewWriter*", "compress/zlib.NewWriter*",
			"github.com/klauspost/compress/zstd.NewWriter"}},
		{Work: UsesCodec, Functions: []string{"compress/gzip.(*Writer).", "compress/zlib.(*Writer).",
			"github.com/klauspost/compress/zstd.(*Encoder)."}},

		{Work: GrowsSlice, Functions: []string{"runtime.growslice*"}},
		{Work: GrowsBuffer, Functions: []string{"bytes.growSlice", "bytes.(*Buffer).grow", "strings.(*Builder).grow",
			"strings.(*Builder).Grow"}},
		{Work: GrowsOnce, Functions: []string{"slices.Grow"}},
		{Work: ReadsAll, Functions: []string{"io.ReadAll", "io/ioutil.ReadAll"}},
		{Work: ReadsWhole, Functions: []string{"io.ReadAll", "os.ReadFile", "bytes.(*Buffer).ReadFrom",
			"bytes.(*Buffer).Grow", "bytes.(*Buffer).String", "bufio.(*Reader).ReadString", "bufio.(*Reader).ReadBytes",
			"bufio.(*Scanner).Text", "strings.(*Builder).", "encoding/json.RawMessage", "net/http.readBody"}},
		{Work: ReadsRecord, Functions: []string{"encoding/csv.(*Reader).readRecord"}},
		{Work: BuildsText, Functions: []string{"strings.(*Builder)"}},
		{Work: BuildsBytes, Functions: []string{"bytes.(*Buffer)"}},
		{Work: GrowsForCaller, Functions: []string{"slices.Insert", "slices.Append*", "slices.Collect", "slices.Concat",
			"maps.Keys", "fmt.Append*", "strconv.Append*"}},
		{Work: CopiesForCaller, Functions: []string{"slices.Insert", "slices.Delete*", "slices.Replace", "slices.Clone",
			"slices.Concat", "bytes.Clone", "bytes.Repeat", "strings.Clone"}},

		{Work: CopiesStruct, Functions: []string{"runtime.duffcopy"}},
		{Work: JoinsTwo, Functions: []string{"runtime.concatstring*", "runtime.concatbyte*"}},
		{Work: JoinsParts, Functions: []string{"strings.Join", "strings.Repeat"}},
		{Work: CutsPart, Functions: []string{"strings.Cut*", "strings.Trim*", "strings.Split*", "strings.Fields*",
			"strings.Lines", "bytes.Cut*", "bytes.Trim*", "bytes.Split*", "bytes.Fields*", "bytes.Lines",
			"regexp.(*Regexp).Find*", "path.Base", "path.Ext", "path/filepath.Base", "path/filepath.Ext",
			"net.SplitHostPort"}},
		{Work: Converts, Functions: []string{"runtime.slicebytetostring*", "runtime.stringtoslicebyte",
			"runtime.stringtoslicerune", "runtime.slicerunetostring", "runtime.intstring", "runtime.rawbyteslice"}},
		{Work: ConvertsBuffer, Functions: []string{"bytes.(*Buffer).String"}},
		{Work: Boxes, Functions: []string{"runtime.convT*", "runtime.convI*"}},
		{Work: TakesPooled, Functions: []string{"sync.(*Pool).Get"}},
		{Work: HoldsBoxes, Functions: []string{"container/", "sync.(*Pool)", "sync.(*Map)", "sync/atomic.(*Value)"}},
	}
}

// disks are packages whose functions are called as the system calls that they make.
func disks() []Row {
	return []Row{{Functions: []string{"syscall.", "golang.org/x/sys/unix.", "modernc.org/libc.X*"},
		Roles: NamesSystemCall}}
}

// IsSystemCall reports whether a word is the name of a system call on files, in lower case, as package syscall or what
// is like it calls its function: "fdatasync", "fcntlflock".
func IsSystemCall(word string) bool {
	switch word {
	case "fsync", "fdatasync", "msync", "sync_file_range", "syncfilerange", "sync", "syncfs",
		"flock", "fcntl", "fcntlflock", "fcntlint",
		"read", "write", "pread", "pwrite", "pread64", "pwrite64", "readv", "writev", "preadv", "pwritev",
		"open", "openat", "close", "stat", "fstat", "lstat", "fstatat", "statx", "rename", "renameat", "renameat2",
		"unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate", "truncate", "fallocate", "getdents",
		"readdirent", "readlink", "readlinkat", "link", "linkat", "symlink", "symlinkat", "chmod", "fchmod", "chown",
		"fchown", "sendfile", "copyfilerange", "copy_file_range", "mmap", "munmap", "madvise", "ioctl", "wait4",
		"waitid", "statfs", "fstatfs", "getxattr", "setxattr", "fadvise":
		return true
	}
	return false
}

// FileSync is the call that waits for the disk, by which remedies are chosen.
const FileSync = "os.(*File).Sync"

// FileRead is the call that reads a piece of a file.
const FileRead = "os.(*File).Read"

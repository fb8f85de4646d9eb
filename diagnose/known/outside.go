package known

// outside are the functions that take memory which no heap profile shows, and libraries that hold such memory for their
// users.
func outside() []Row {
	return []Row{
		{Functions: []string{"syscall.(*mmapper).Mmap", "syscall.Mmap", "syscall.mmap", "golang.org/x/sys/unix.Mmap",
			"golang.org/x/sys/unix.(*mmapper).Mmap", "golang.org/x/sys/unix.MmapPtr"}, Roles: MapsMemory,
			Remedy: "every Mmap needs a Munmap, on every path"},
		{Functions: []string{"runtime.cgocall", "runtime.asmcgocall"}, Roles: CallsC,
			Remedy: "every C.malloc and C.CString needs a C.free (defer it), every handle of a C library its close"},

		{Functions: []string{"github.com/VictoriaMetrics/fastcache."}, Roles: KeepsOutside, What: "chunks that it maps",
			Remedy: "call Reset on a cache before it is dropped or replaced: nothing else gives its chunks back"},
		{Functions: []string{"github.com/DataDog/zstd.", "github.com/valyala/gozstd."}, Roles: KeepsOutside,
			What: "C memory of each stream", Remedy: "Close (Release) every reader, writer and dictionary, on every path"},
		{Functions: []string{"github.com/mattn/go-sqlite3."}, Roles: KeepsOutside, What: "C memory",
			Remedy: "close rows, statements and connections, and bound the page cache"},
		{Functions: []string{"github.com/linxGNU/grocksdb.", "github.com/tecbot/gorocksdb."}, Roles: KeepsOutside,
			What: "C++ memory", Remedy: "Free every slice, Close every iterator and Destroy the options"},
		{Functions: []string{"github.com/confluentinc/confluent-kafka-go/"}, Roles: KeepsOutside, What: "C memory",
			Remedy: "Close every producer and consumer, and drain the channel of events"},
		{Functions: []string{"gopkg.in/gographics/imagick.", "github.com/davidbyttow/govips/", "github.com/h2non/bimg."},
			Roles: KeepsOutside, What: "C memory of images", Remedy: "Close (Destroy) every image, on every path"},
		{Functions: []string{"github.com/edsrzf/mmap-go.", "golang.org/x/exp/mmap."}, Roles: KeepsOutside,
			What: "mapped files", Remedy: "Unmap (Close) each on every path"},
	}
}

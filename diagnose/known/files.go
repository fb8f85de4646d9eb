package known

// files are the functions that work on files.
func files() []Row {
	return []Row{
		{Work: CallsOnFile, Functions: []string{"os.(*File).Write*", "os.(*File).Read", "os.(*File).ReadAt",
			"os.(*File).Seek", "syscall.Write", "syscall.Read", "syscall.Pwrite", "syscall.Pread",
			"golang.org/x/sys/unix.Write*", "golang.org/x/sys/unix.Read", "golang.org/x/sys/unix.Readv"},
			Except: []string{"os.(*File).WriteTo"}},
		{Work: WritesFile, Functions: []string{"os.(*File).Write", "os.(*File).WriteAt"}},
		{Work: SavesFile, Functions: []string{"os.WriteFile", "os.Create", "os.OpenFile", "os.Rename", "io/ioutil.WriteFile",
			"os.(*File).Write", "os.(*File).Sync"}},
		{Work: ReadsFile, Functions: []string{"os.(*File).Read", "os.(*File).ReadAt"}},
		{Work: WritesInKernel, Functions: []string{"syscall.write", "syscall.pwrite"}},
		{Work: ReadsInKernel, Functions: []string{"syscall.read", "syscall.pread"}},
		{Work: OpensDescriptor, Functions: []string{"os.OpenFile*", "os.Open*", "os.Create*", "os.Pipe*",
			"os.StartProcess*", "os/exec.(*Cmd).Start*", "net.Dial*", "net.(*Dialer).Dial*", "syscall.Open*",
			"syscall.Socket*", "golang.org/x/sys/unix.Open*"}},
		{Work: StartsProgram, Functions: []string{"os/exec.(*Cmd).Start", "os.StartProcess", "syscall.StartProcess",
			"syscall.ForkExec"}},
		{Work: SyncsFile, Functions: []string{"os.(*File).Sync"}},
		{Work: PassesToFile, Functions: []string{"fmt.Fprint*", "fmt.Fscan*", "io.WriteString", "io.ReadFull",
			"io.ReadAtLeast", "encoding/binary.", "text/template.", "html/template.", "text/tabwriter.", "os.",
			// what passes each call on as it is: a checksum beside the file, a limit
			"io.(*multiWriter)", "io.(*teeReader)", "io.(*multiReader)", "io.(*LimitedReader)",
			"io.(*SectionReader)", "io.(*OffsetWriter)"}},
		{Work: FindsFile, Functions: []string{"os.ReadFile", "os.Open", "os.Stat", "os.Lstat", "os.ReadDir",
			"os.Readlink", "io/ioutil.ReadFile", "io/ioutil.ReadDir", "path/filepath.Walk*", "path/filepath.Glob",
			"path/filepath.EvalSymlinks", "os/user.", "mime.TypeByExtension"}},
		{Work: OfOS, Functions: []string{"os."}},
		{Work: PassesToNamed, Functions: []string{"path/filepath.", "os."}},
	}
}

// StartsCommand is the call that starts a program, by which the remedy is found.
const StartsCommand = "os/exec.(*Cmd).Start"

// ParsesForm is the call that may write the files of a form to disk, by which remedies are chosen.
const ParsesForm = "net/http.(*Request).ParseMultipartForm"

package diagnose

// Stacks of a service that asks Redis, as Go 1.26 records them.
const (
	kernelWrite = "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.write " +
		"internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write "
	kernelRead = "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.read " +
		"internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read "
	redisClient = "bufio.(*Writer).Flush github.com/redis/go-redis/v9.(*baseClient).process " +
		"github.com/redis/go-redis/v9.cmdable.Incr "
	askingLine   = "main.count main.serve net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
	serverAnswer = kernelWrite +
		"net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*response).finishRequest " +
		"net/http.(*conn).serve"
)

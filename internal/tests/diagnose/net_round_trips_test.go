package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

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

func TestRoundTrips(t *testing.T) {
	for _, tt := range []struct {
		name  string
		ticks map[string]int64 // of 1,000, with the rest elsewhere
		score int
	}{
		{"many", map[string]int64{serverAnswer: 50, kernelWrite + redisClient + askingLine: 300,
			kernelRead + redisClient + askingLine: 50}, 50},
		{"one a request", map[string]int64{serverAnswer: 200, kernelWrite + redisClient + askingLine: 250,
			kernelRead + redisClient + askingLine: 50}, 0},
		{"many, of little", map[string]int64{serverAnswer: 15, kernelWrite + redisClient + askingLine: 90,
			kernelRead + redisClient + askingLine: 10}, 0},
		{"nobody is answered", map[string]int64{kernelWrite + redisClient + askingLine: 300,
			kernelRead + redisClient + askingLine: 50}, 0},
		{"nothing is asked", map[string]int64{serverAnswer: 50, kernelWrite + "main.push main.main": 350}, 0},
		{"a stream", map[string]int64{serverAnswer: 50, kernelWrite + "io.copyBuffer io.Copy " + askingLine: 300,
			kernelRead + "io.copyBuffer io.Copy " + askingLine: 50}, 0},
		{"a handler that writes its answer", map[string]int64{serverAnswer: 50,
			kernelWrite + "net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*response).Write " +
				askingLine: 300,
			kernelRead + redisClient + askingLine: 50}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rest := int64(1000)
			for _, n := range tt.ticks {
				rest -= n
			}
			tt.ticks["main.rest main.main"] = rest
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.ticks)},
				Build: casefile.Build{Module: "example.com/app"}}
			got := findingOf(diagnose.Run(t.Context(), in, diagnose.Options{}).Findings, "net-round-trips")
			if tt.score == 0 {
				if got != nil {
					t.Errorf("found: %s", got.Title)
				}
				return
			}
			if got == nil || got.Score != tt.score || got.Where[0].Function != "main.count" ||
				!strings.Contains(got.Title, "many queries over the network per request") {
				t.Errorf("%+v; want a score of %d and main.count, which asks 6 times", got, tt.score)
			}
		})
	}
}

func findingOf(fs []casefile.Finding, kind string) *casefile.Finding {
	for i := range fs {
		if fs[i].Kind == kind {
			return &fs[i]
		}
	}
	return nil
}

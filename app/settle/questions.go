package settle

import (
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// A question is what source is asked about the places of some kinds of findings.
type question struct {
	name  string
	kinds []string
	ask   func(*inquiry) []answer
}

// questions lists all. A kind may have several; their answers come in this order.
func questions() []question {
	return []question{
		{"held over waiting", []string{"lock-held-io"}, heldOverWaiting},
		{"held for long", []string{"lock-contention"}, heldForLong},
		{"never unlocked", []string{"lock-never-released", "goroutine-stuck", "goroutine-leak"}, neverUnlocked},
		{"two locks", []string{"goroutine-deadlock"}, twoLocks},
		{"held over a wait", []string{"goroutine-deadlock"}, heldOver},
		{"made again", []string{"goroutine-leak", "goroutine-surge"}, madeAgain},
		{"waits for a channel", []string{"goroutine-leak", "goroutine-stuck", "goroutine-surge"}, waitsForever},
		{"who receives", []string{"chan-bottleneck"}, whoReceives},
		{"which go statement", []string{"goroutine-leak", "goroutine-stuck", "goroutine-surge", "goroutine-churn"},
			whoStarts},
		{"searches", []string{"cpu-linear-search"}, searches},
		{"loops in loops", []string{"cpu-quadratic"}, loopsInLoops},
		{"same for its caller", []string{"alloc-fmt", "cpu-hot-function", "alloc-site", "cpu-json", "cpu-reflect",
			"reflect-per-call"}, sameForCaller},
		{"hot loop", []string{"cpu-hot-function"}, searchesHot},
		{"what lint reports", []string{"cpu-hot-function", "alloc-site", "alloc-bytes-string", "alloc-grow", "io-reread",
			"cpu-json", "cpu-map-hash", "alloc-map-temp"}, checked},
		{"called in a loop", []string{"cpu-hot-function"}, calledInLoop},
		{"copies an element", []string{"cpu-hot-function", "cpu-copy", "cpu-linear-search", "cpu-quadratic"}, copies},
		{"polls a select", []string{"goroutine-busy-poll", "cpu-spin", "cpu-time-now"}, pollsSelect},
		{"clock in a loop", []string{"cpu-time-now"}, clockInLoop},
		{"spins", []string{"cpu-spin", "goroutine-busy-poll"}, spins},
		{"encodes in its encoder", []string{"cpu-json", "cpu-hot-function", "alloc-site"}, encodesInEncoder},
		{"asks in a loop", []string{"net-round-trips"}, asksInLoop},
		{"never done", []string{"requests-wait"}, neverDone},
		{"never given back", []string{"requests-wait", "goroutine-stuck", "goroutine-leak", "goroutine-surge",
			"chan-bottleneck"}, nobodyGivesBack},
		{"enough of all", []string{"slow-dependency", "requests-wait", "goroutine-stuck"}, enoughOfAll},
		{"optional part", []string{"slow-dependency", "requests-wait"}, optionalPart},
		{"tries again", []string{"requests-wait"}, triesAgain},
		{"is told by nobody", []string{"requests-wait"}, looksAgain},
		{"who ends it", []string{"requests-wait"}, whoEnds},
		{"waits on purpose", []string{"requests-wait"}, waitsOnPurpose},
		{"side by side", []string{"net-round-trips", "slow-dependency", "requests-wait"}, sideBySide},
		{"made to be shared", []string{"net-no-keepalive", "net-dns-tls", "connection-leak", "goroutine-leak",
			"goroutine-surge", "alloc-site", "alloc-loop-invariant", "cpu-hot-function"}, madeToShare},
		{"connections", []string{"net-no-keepalive", "net-dns-tls"}, connections},
		{"given for ever", []string{"goroutine-leak", "goroutine-surge", "goroutine-stuck"}, givenForever},
		{"not ended", []string{"connection-leak", "goroutine-leak", "goroutine-surge", "goroutine-stuck", "pool-held",
			"chan-bottleneck"}, notEnded},
		{"body", []string{"connection-leak"}, bodyLeft},
		{"made for each call", []string{"regexp-compile", "template-parse", "alloc-loop-invariant",
			"alloc-buffer-per-call", "reflect-per-call"}, madePerCall},
		{"joined in a loop", []string{"alloc-string-concat"}, joined},
		{"timers", []string{"alloc-timer", "timer-leak"}, timers},
		{"grows in a loop", []string{"alloc-grow"}, grows},
		{"size of make", []string{"alloc-oversized", "alloc-map-temp", "mem-giant", "alloc-site"}, sized},
		{"made of the same", []string{"alloc-map-temp"}, madeOfTheSame},
		{"room of the largest", []string{"mem-leak", "mem-giant", "alloc-site"}, roomOfLargest},
		{"beside a store", []string{"mem-leak", "mem-map-never-shrinks"}, besideStore},
		{"where it goes", []string{"mem-leak", "mem-map-never-shrinks", "mem-subslice-retained"}, whereItGoes},
		{"slots", []string{"mem-leak", "mem-subslice-retained"}, slotsKept},
	}
}

// refutations ask, for a need of remedies that a question is named after, whether the source shows that it is not so.
func refutations() []question {
	return []question{
		{casefile.NeedsSameInput, nil, variesByCall},
		{casefile.NeedsNoDeadline, nil, hasDeadline},
		{casefile.NeedsOneForAll, nil, belongsToCall},
		{casefile.NeedsApart, nil, triesOfOne},
		{casefile.NeedsNotKept, nil, isKept},
		{casefile.NeedsBodyLeft, nil, bodyDone},
		{casefile.NeedsManyClients, nil, clientKept},
	}
}

func questionsFor(f *casefile.Finding) (out []question) {
	for _, q := range questions() {
		if slices.Contains(q.kinds, f.Kind) {
			out = append(out, q)
		}
	}
	for _, q := range refutations() {
		if slices.ContainsFunc(f.Remedies, func(r casefile.Remedy) bool { return r.Needs == q.name }) {
			out = append(out, q)
		}
	}
	if slices.ContainsFunc(f.Remedies, func(r casefile.Remedy) bool { return r.Env+r.Sets != "" }) {
		out = append(out, question{"set in code", nil, setInCode})
	}
	return out
}

// Kinds are those about which source is asked.
func Kinds() (out []string) {
	for _, q := range questions() {
		out = append(out, q.kinds...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

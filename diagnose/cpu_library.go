package diagnose

import "github.com/gocasebook/casebook/diagnose/known"

// The kinds of this file are libraries that do much work for a short line.

// Password hashes are slow on purpose: the hash must not be made cheaper and its result must not be cached. It can only
// be computed less often.
const (
	sessionText = "At {line}: the hash is slow on purpose and must stay slow. Hand out a session token after the " +
		"first check and verify that with an HMAC; if each call is a first check, nothing is wrong. A key that is " +
		"derived from a secret of the program's own, to encrypt or to sign, is derived once, at the start, and kept. A " +
		"key that was drawn at random (of an API, a token) nobody guesses: SHA-256 or an HMAC of it is enough."
	boundText = "At {line}: a semaphore with about one place per CPU, minus one, so that a flood of logins does " +
		"not take the CPU from everybody else; answer 429 when it is full."
)

// A sum of what does not change need not be made again, and where nobody attacks it, need not withstand that.
const (
	sumTitle = "Sum it once, or by a faster hash if nobody attacks it"
	sumText  = "At {line}: sum content when it is written, and keep the sum beside it; do not sum the same again. " +
		"For tables, shards and caches of data that nobody forges hash/maphash or github.com/cespare/xxhash/v2 do 10 GB/s."
	sumPrice = "a faster hash is none for signatures, nor where collisions could be made on purpose"
)

// passwordFixes are for each function that derives a key from a password.
func passwordFixes() []Remedy {
	return append(byWork(known.DerivesKey, "Check a password once per session, derive a key once", sessionText,
		"sessions must be revocable"),
		byWork(known.DerivesKey, "Bound how many run at once", boundText, "logins wait or are rejected under attack")...)
}

func cpuCrypto() Detector {
	return costKind{
		id: "CPU013", kind: "cpu-crypto", title: "Cryptography takes much of the CPU", what: "Cryptography",
		purpose: true, own: true,
		looks: "Looks for crypto/* and golang.org/x/crypto below lines of the user's code, also when called through " +
			"other packages; the other work of a JWT package does not count. The handshakes and records of TLS " +
			"servers have no line of " +
			"the user's code above them and are not counted.",
		scale: jobScale(), scaleWhy: jobScaleWhy, whole: true,
		match: match{direct: true, calls: []known.Work{known.EncryptsOrSigns}},
		gain:  [2]float64{0.33, 0.95}, gainWhy: "a cheaper function saves a third or more, not doing it again saves " +
			"nearly all",
		explanation: "Password hashes are slow on purpose; signatures cost 20 µs to 1 ms; hashing costs 0.5–3 ns a " +
			"byte. The common mistake is to do for each request what could be " +
			"done once per session.",
		fixes: append(passwordFixes(),
			byChange(known.RSA, "Sign with Ed25519 or ECDSA, or less often",
				"RSA-2048 signs in about 1 ms, Ed25519 in 20 µs; keep signed tokens as long as they are valid.",
				"clients must know the new key"),
			byChange(known.MD5, sumTitle, sumText, sumPrice), byChange(known.SHA, sumTitle, sumText, sumPrice),
			byChange("", "Do it once and keep the result", "At {line}: keep verified tokens as long as they are "+
				"valid, hash content when it is written, keep a cipher or HMAC state and Reset it.",
				"a revoked token stays valid a little longer").but(known.DoneBy(known.DerivesKey)...)),
		before: `ok := bcrypt.CompareHashAndPassword(user.Hash, password) == nil // for every request`,
		after:  `session, ok := sessions.Get(cookie) // checked once, at the login`,
	}.detector()
}

func cpuLogging() Detector {
	return costKind{
		id: "CPU014", kind: "cpu-logging", title: "Logging takes much of the CPU", what: "Logging",
		looks: "Looks for log, log/slog, zap, zerolog, logrus, klog, glog, go-kit/log, hclog and log15 below lines " +
			"of the user's code, writing included.",
		scale: Scale{Worth: 0.10, Hurts: 0.35, Top: 0.80}, scaleWhy: "one or two lines per request cost 1–5 % of a " +
			"service that does real work; 10 % means many lines, an expensive format, or one system call per line.",
		whole: true,
		match: match{calls: []known.Work{known.WritesLog}, network: true, callbacks: true},
		gain:  [2]float64{0.5, 0.9}, gainWhy: "fewer lines or a cheaper level save most, a faster logger about half",
		slow: &slowForm{calls: []known.Work{known.AsksCallers, known.NamesCallers}, gain: [2]float64{0.5, 0.9},
			gainWhy: "looking for the caller takes half or more, fewer lines save most"},
		explanation: "A line costs its formatting, its allocations, finding the caller's file and line if requested, " +
			"a lock, and one write to the kernel.",
		fixes: []Remedy{
			byChange("", "Log less", "At {line}: log one line per request with all attributes instead of one per "+
				"step; sample lines that repeat; check Enabled before building expensive arguments.",
				"fewer details to read later"),
			byPackage(known.Log, "Use log/slog", "Typed attributes (slog.LogAttrs) are not formatted if the line is "+
				"not written.", "structured log lines look different"),
			byPackage(known.Logrus, "Use log/slog, go.uber.org/zap or github.com/rs/zerolog",
				"logrus allocates for every field and is in maintenance mode; these are 5–10 times faster.",
				"another API"),
			byChange(known.Slog, "Use LogAttrs and leave out AddSource",
				"slog.LogAttrs with typed attributes does not box; finding the caller's position costs a walk of the "+
					"stack.", "no source position"),
			byChange("", "Write through a buffer", "A bufio.Writer flushed every 100 ms instead of one write(2) per "+
				"line (zapcore.BufferedWriteSyncer, zerolog/diode).", "the last lines are lost in a crash"),
		},
		before: `for _, it := range items { log.Printf("item %+v", it) }`,
		after:  `slog.LogAttrs(ctx, slog.LevelInfo, "items priced", slog.Int("n", len(items)))`,
	}.detector()
}

func cpuRegexp() Detector {
	return costKind{
		id: "CPU015", kind: "cpu-regexp", title: "Matching regular expressions takes much of the CPU",
		what:    "Matching regular expressions",
		purpose: true,
		looks: "Looks for matching with regexp and the common other engines below lines of the user's code. " +
			"Compiling is another kind, regexp-compile.",
		scale: Scale{Worth: 0.20, Hurts: 0.50, Top: 1}, scaleWhy: "Go's engine takes 10–100 ns a byte where " +
			"strings.Contains takes 0.1: most of 20 % of the CPU can be saved.",
		match:    match{callbacks: true, calls: []known.Work{known.MatchesPattern}},
		rewrites: true,
		gain:     [2]float64{0.5, 0.95}, gainWhy: "checking for a literal first, or a parser of a few lines, saves " +
			"half " +
			"to nearly all",
		explanation: "Go's regexp engine never backtracks without bound, and pays for that in every step. Captures " +
			"and alternatives make it even slower.",
		fixes: []Remedy{
			byChange("", "Check for a literal first, or try fewer expressions", "At {line}: if most inputs do not "+
				"match, strings.Contains, HasPrefix or IndexByte for a substring that every match has: most stop "+
				"there. If many expressions are tried one after the other: choose by a prefix or a map which can "+
				"match, or make one of them with alternatives.", "one more line"),
			byChange("", "Parse without a regular expression", "strings.Cut, a loop over bytes or a switch are "+
				"10–100 times faster if they are enough.", "more code"),
			byChange("", "Ask for less", "MatchString instead of FindStringSubmatch, (?:…) instead of (…), one "+
				"expression with alternatives instead of ten.", "none"),
		},
		before: `if m := errorLine.FindStringSubmatch(line); m != nil { … }`,
		after:  `if strings.Contains(line, "error") { if m := errorLine.FindStringSubmatch(line); m != nil { … } }`,
	}.detector()
}

package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

const root = "github.com/gocasebook/casebook"

// arrows says which packages of ours each package may import. A pattern ending in /... stands for a package and all
// below it; as a key, for those below it that have no row of their own. TestDesign writes the list into docs/design.md.
var arrows = map[string][]string{
	root: {root + "/internal/number", root + "/internal/own", root + "/instance", root + "/rule",
		root + "/diagnose", root + "/internal/budget",
		root + "/internal/recorder", root + "/internal/blackbox",
		root + "/internal/settings",
		root + "/reporter", root + "/casefile", root + "/vitals", root + "/internal/room"},
	root + "/vitals":            {root + "/internal/number"},
	root + "/internal/budget":   {root + "/internal/number"},
	root + "/internal/settings": {root + "/internal/number"},
	root + "/internal/recorder": {root + "/internal/number", root + "/internal/settings", root + "/internal/cputime",
		root + "/internal/own"},
	root + "/middleware": {root + "/internal/redact", root + "/vitals"},
	root + "/internal/blackbox": {root + "/internal/number",
		root + "/casefile", root + "/vitals", root + "/internal/flock"},
	root + "/reporter": {root + "/internal/words", root + "/internal/own", root + "/casefile", root + "/vitals",
		root + "/internal/flock",
		root + "/internal/redirect", root + "/internal/retryafter"},
	root + "/holmes": {root, root + "/internal/settings", root + "/internal/own", root + "/rule", root + "/instance",
		root + "/casefile", root + "/vitals"},
	root + "/holmes/reporters/...": {root + "/holmes", root + "/internal/moment", root + "/internal/redirect"},

	root + "/casefile":            {root + "/vitals", root + "/internal/flock", root + "/internal/settings"},
	root + "/internal/moment":     {}, // what of a profile is of its time
	root + "/internal/redact":     {},
	root + "/internal/plain":      {},
	root + "/internal/redirect":   {},
	root + "/internal/retryafter": {},
	root + "/internal/near":       {},
	root + "/internal/number":     {},                                                                        // figures for people
	root + "/internal/words":      {root + "/internal/number", root + "/internal/plain", root + "/casefile"}, // for people
	root + "/internal/room":       {root + "/internal/number", root + "/internal/cgroup"},
	root + "/internal/flock":      {},
	root + "/internal/cgroup":     {},
	root + "/internal/cputime":    {},
	root + "/internal/own":        {}, // Casebook's own goroutines
	root + "/rule": {root + "/internal/number",
		root + "/casefile", root + "/vitals", root + "/internal/near"},
	root + "/instance": {root + "/internal/number", root + "/internal/own", root + "/casefile", root + "/vitals",
		root + "/internal/cgroup",
		root + "/internal/plain", root + "/internal/redact", root + "/internal/redirect", root + "/internal/room"},
	root + "/diagnose/view": {root + "/diagnose/stacks", root + "/diagnose/traces", root + "/internal/number",
		root + "/internal/words", root + "/casefile", root + "/vitals"},
	root + "/diagnose/wait": {root + "/diagnose/known", root + "/diagnose/stacks"}, // who waits for whom
	root + "/diagnose/cost": {root + "/diagnose/known", root + "/diagnose/stacks"}, // what hangs on a line
	root + "/diagnose/hold": {root + "/diagnose/known", root + "/diagnose/stacks"}, // what is held, and who made it
	root + "/diagnose": {root + "/diagnose/known", root + "/diagnose/refs", root + "/diagnose/traces", root + "/diagnose/view",
		root + "/diagnose/wait", root + "/diagnose/hold", root + "/diagnose/cost",
		root + "/internal/number", root + "/internal/words", root + "/internal/own",
		root + "/diagnose/stacks", root + "/casefile",
		root + "/vitals",
		root + "/internal/cputime", root + "/internal/room"},
	root + "/diagnose/traces": {root + "/internal/number"}, // plain data
	root + "/app/trace":       {root + "/casefile", root + "/diagnose", root + "/diagnose/traces"},
	root + "/diagnose/refs":   {root + "/internal/number", root + "/internal/words"}, // plain data
	root + "/app/heapdump":    {root + "/diagnose/refs", root + "/diagnose/stacks"},
	root + "/diagnose/known":  {}, // plain data
	root + "/diagnose/stacks": {root + "/internal/number", root + "/diagnose/known",
		root + "/casefile", root + "/vitals", root + "/internal/room"},

	root + "/internal/victim":     {}, // of the tests: the process that they watch
	root + "/internal/victimtest": {root + "/internal/built", root + "/internal/cputime"},
	root + "/internal/built":      {root + "/internal/flock"}, // of the tests: programs that they share

	root + "/internal/casetest":    {root + "/casefile"}, // of the tests: cases, and who takes them
	root + "/internal/filetest":    {},
	root + "/internal/profiletest": {},
	root + "/internal/disktest":    {},
	root + "/internal/leaktest":    {},
	root + "/internal/archive":     {}, // recorded evidence
	root + "/internal/checkout":    {root + "/internal/archive"},
	root + "/internal/golden":      {},
	root + "/internal/truth":       {root + "/casefile"}, // what is true of a recorded case
	root + "/internal/race":        {},

	root + "/internal/tests/...":     {},                                                   // tests alone
	root + "/internal/tests/release": {root + "/internal/flock"},                           // make release
	root + "/internal/tests/suite":   {root + "/internal/built", root + "/internal/flock"}, // make test
	root + "/internal/tests/systems": {},                                                   // make check

	root + "/remedy/...":    {}, // each can be used alone
	root + "/remedy/gctune": {root + "/internal/cgroup"},

	root + "/app/cmd/casebook": {root + "/app/cli", root + "/app/command", root + "/app/lint", root + "/app/pprofweb"},
	root + "/app/cmd/casebook-store": {root + "/app/cli", root + "/app/command", root + "/app/lint", root + "/app/pprofweb",
		root + "/app/store/drivers"},
	root + "/app/kube":          {root + "/instance", root + "/internal/plain", root + "/internal/redirect"},
	root + "/app/kube/kubetest": {}, // an API server, for tests
	root + "/app/doctor": {root + "/app/kube", root + "/app/notes", root + "/casefile", root + "/diagnose/known", root + "/diagnose/stacks", root + "/instance",
		root + "/internal/budget", root + "/internal/number", root + "/internal/settings", root + "/rule", root + "/vitals"},
	root + "/app/notes":    {root + "/app/tool", root + "/diagnose/known", root + "/diagnose/stacks"},
	root + "/app/demo":     {}, // the patient of casebook demo
	root + "/app/diff":     {},
	root + "/app/setup":    {root + "/app/diff", root + "/app/tool"},
	root + "/app/replay":   {root + "/internal/redact"},
	root + "/app/likeness": {root + "/casefile", root + "/diagnose/stacks", root + "/internal/number"},
	root + "/app/lint": {root + "/app/heat", root + "/app/lint/checks", root + "/app/notes", root + "/app/openfile", root + "/app/tool",
		root + "/casefile", root + "/internal/number"},
	root + "/app/lint/checks":   {root + "/app/syntax"},
	root + "/app/flow":          {root + "/app/syntax", root + "/diagnose/known"},
	root + "/app/lint/linttool": {root + "/app/lint"}, // what tests have go vet run
	root + "/app/settle": {root + "/app/facts", root + "/app/flow", root + "/app/typed", root + "/diagnose/known", root + "/diagnose/stacks", root + "/internal/words", root + "/app/lint/checks", root + "/app/syntax", root + "/app/source", root + "/app/tool", root + "/casefile", root + "/diagnose",
		root + "/internal/number"},
	root + "/app/fix": {root + "/app/diff", root + "/app/child", root + "/app/fix/rewrite", root + "/app/gate", root + "/app/lint",
		root + "/app/prove", root + "/app/prove/trial", root + "/app/revision", root + "/app/tool",
		root + "/casefile", root + "/internal/number"},
	root + "/app/fix/rewrite": {root + "/app/syntax", root + "/app/tool"}, // syntax and types alone
	root + "/app/syntax":      {},
	root + "/app/typed":       {root + "/app/tool"},
	root + "/app/pasted":      {root + "/casefile", root + "/vitals"},
	root + "/lab/fixes": {root + "/internal/archive", root + "/app/child", root + "/app/fix", root + "/app/fix/rewrite", root + "/casefile",
		root + "/internal/number",
		root + "/lab/choose"},
	root + "/app/cli": {root + "/..."},
	root + "/app/pgo": {root + "/app/syntax", root + "/app/tool", root + "/diagnose/stacks", root + "/internal/number"},
	root + "/app/assess": {root, root + "/app/answer", root + "/app/ask", root + "/app/brief", root + "/app/facts", root + "/app/likeness", root + "/app/escape", root + "/app/heat", root + "/app/listing", root + "/app/pgo", root + "/app/source",
		root + "/diagnose/known", root + "/diagnose/stacks", root + "/diagnose/view",
		root + "/app/casework", root + "/app/compare", root + "/app/difference", root + "/app/load", root + "/internal/number", root + "/app/openfile", root + "/app/pasted", root + "/app/prove",
		root + "/app/child", root + "/app/revision", root + "/app/tool", root + "/app/prove/trial", root + "/app/report",
		root + "/app/heapdump", root + "/app/render", root + "/app/trace", root + "/diagnose/refs",
		root + "/diagnose/traces", root + "/internal/near", root + "/internal/plain", root + "/remedy/catalogue",
		root + "/casefile", root + "/diagnose", root + "/rule", root + "/vitals"},
	root + "/app/facts": {root + "/app/source", root + "/app/trace", root + "/internal/near", root + "/internal/plain",
		root + "/internal/words", root + "/casefile", root + "/diagnose", root + "/diagnose/cost",
		root + "/diagnose/hold", root + "/diagnose/known", root + "/diagnose/stacks", root + "/diagnose/traces",
		root + "/diagnose/view", root + "/diagnose/wait", root + "/internal/number", root + "/vitals"},
	root + "/app/brief": {root + "/app/anonymize", root + "/app/facts", root + "/app/render", root + "/diagnose/known",
		root + "/diagnose/stacks", root + "/internal/number",
		root + "/internal/plain", root + "/internal/words"},
	root + "/app/answer": {root + "/app/facts", root + "/app/source", root + "/app/syntax", root + "/app/tool",
		root + "/internal/words",
		root + "/casefile", root + "/diagnose/known", root + "/diagnose/stacks", root + "/internal/near", root + "/internal/number",
		root + "/internal/plain", root + "/vitals"},
	root + "/app/ask": {root + "/app/child", root + "/internal/plain", root + "/internal/redact", root + "/internal/redirect",
		root + "/internal/retryafter"}, // texts alone
	root + "/app/txtartest": {}, // archives of testdata, for tests
	root + "/app/access":    {}, // who asks a server
	root + "/app/mcp": {root + "/app/access", root + "/app/assess", root + "/app/brief", root + "/app/casework",
		root + "/internal/words",
		root + "/app/child", root + "/app/compare", root + "/app/difference", root + "/app/facts", root + "/app/render", root + "/app/source",
		root + "/app/store", root + "/app/terminal", root + "/app/trace",
		root + "/casefile", root + "/diagnose", root + "/diagnose/stacks", root + "/internal/near", root + "/internal/number",
		root + "/internal/room"},
	root + "/app/closing": {root + "/casefile"}, // which findings a proof closes
	root + "/app/store": {root + "/app/closing", root + "/app/store/driver", root + "/casefile",
		root + "/internal/flock"},
	root + "/app/store/driver":    {}, // between it and the libraries
	root + "/app/store/drivers":   {root + "/app/store/driver"},
	root + "/app/store/storetest": {root + "/internal/built"}, // PostgreSQL and S3, for tests
	root + "/app/alert":           {},                         // webhooks of others
	root + "/app/browsertest":     {},                         // pages in Chromium, for tests
	root + "/app/typescript":      {},                         // what Go writes as JSON, in TypeScript, for tests
	root + "/app/grafana":         {root + "/app/store", root + "/casefile", root + "/internal/redirect"},
	root + "/app/fleet": {root, root + "/app/casework", root + "/app/store", root + "/casefile",
		root + "/internal/redact", root + "/reporter", root + "/vitals"},
	root + "/app/release": {root + "/app/compare", root + "/app/engine", root + "/app/report", root + "/app/revision",
		root + "/casefile", root + "/diagnose/stacks"},
	root + "/app/ranking": {root + "/app/engine", root + "/app/store", root + "/casefile", root + "/diagnose"},
	root + "/app/site":    {}, // what all pages of a server have in common
	root + "/app/server": {root + "/app/access", root + "/app/alert", root + "/app/fleet", root + "/app/render", root + "/app/store",
		root + "/app/site",
		root + "/casefile", root + "/diagnose", root + "/internal/number", root + "/internal/plain", root + "/vitals"},
	root + "/app/engine": {root + "/casefile", root + "/instance", root + "/reporter", root + "/vitals",
		root + "/internal/moment", root + "/internal/near", root + "/internal/plain", root + "/internal/redact",
		root + "/internal/redirect", root + "/internal/room"},
	root + "/app/engine/enginetest": {root + "/internal/checkout"}, // Pyroscope and Parca, for tests
	root + "/app/pprofweb":          {root + "/app/child", root + "/diagnose/stacks", root + "/internal/room"},
	root + "/app/casework": {root, root + "/app/openfile", root + "/app/engine", root + "/app/kube", root + "/app/pprofweb", root + "/internal/redact",
		root + "/app/facts", root + "/app/heat", root + "/app/listing", root + "/app/source", root + "/diagnose", root + "/diagnose/stacks", root + "/app/store",
		root + "/app/anonymize", root + "/app/prometheus", root + "/app/report",
		root + "/app/heapdump", root + "/app/trace", root + "/diagnose/refs", root + "/internal/number",
		root + "/casefile", root + "/reporter", root + "/rule", root + "/instance", root + "/vitals",
		root + "/internal/blackbox", root + "/internal/budget", root + "/internal/room"},
	root + "/app/command": {root + "/app/terminal", root + "/internal/near", root + "/internal/plain"},
	root + "/app/terminal": {root + "/app/doctor", root + "/app/notes", root + "/app/escape", root + "/app/heat", root + "/app/listing", root + "/app/pgo", root + "/internal/words", root + "/internal/number",
		root + "/diagnose/refs", root + "/app/closing", root + "/app/prove", root + "/app/render",
		root + "/internal/blackbox",
		root + "/diagnose/stacks", root + "/diagnose/traces",
		root + "/casefile", root + "/diagnose", root + "/internal/plain", root + "/vitals"},
	root + "/lab/cmd/lab": {root + "/app/command", root + "/lab/cli"},
	root + "/lab/cli": {root, root + "/app/casework", root + "/app/command", root + "/app/report",
		root + "/app/terminal", root + "/casefile", root + "/internal/number", root + "/lab/..."},
	root + "/lab": {root + "/lab/phones", root + "/lab/worker", root + "/lab/feature",
		root + "/lab/ads", root + "/lab/messages", root + "/lab/draw"},
	root + "/lab/messages": {root + "/lab/serve"},
	root + "/lab/phones":   {root + "/lab/serve", root + "/lab/draw", root + "/remedy/cache"},
	root + "/lab/worker": {root + "/lab/worker/event", root + "/lab/worker/rows", root + "/lab/serve",
		root + "/lab/draw",
		root + "/remedy/gctune", root + "/remedy/batch"},
	root + "/lab/worker/event": {}, // generated
	root + "/lab/worker/rows":  {}, // generated
	root + "/lab/feature": {root + "/lab/serve", root + "/lab/draw", root + "/remedy/cache",
		root + "/remedy/hedge"},
	root + "/lab/ads":             {root + "/lab/serve", root + "/remedy/batch"},
	root + "/lab/serve":           {root + "/lab/cpus"},  // what the services share
	root + "/lab/cpus":            {},                    // where they run
	root + "/lab/draw":            {},                    // the worlds that they draw
	root + "/lab/redis":           {root + "/app/child"}, // a dependency of theirs
	root + "/lab/kafka":           {root + "/app/child"}, // another
	root + "/lab/serve/servetest": {},
	root + "/lab/quota":           {}, // runs a process under a CPU quota
	root + "/lab/choose":          {}, // the names for -run of a command
	root + "/lab/articles":        {}, // a table of what the articles describe, and its page
	root + "/lab/kube":            {}, // tests against a real kube-apiserver
	root + "/lab/sidecar": {root + "/internal/number", root + "/app/child", root + "/lab/redis", root + "/lab/serve",
		root + "/lab/tables"}, // the price of a hop
	root + "/lab/tables":       {root + "/internal/number", root + "/lab/tables/..."},
	root + "/lab/tables/...":   {}, // the record that it encodes
	root + "/app/load":         {root + "/app/openfile", root + "/internal/number", root + "/internal/redirect"},
	root + "/app/load/targets": {root + "/app/openfile"},
	root + "/app/load/rpc":     {root + "/app/load"},
	root + "/lab/bench/trace": {root + "/app/prove", root + "/app/trace", root + "/diagnose/traces",
		root + "/internal/number"},
	root + "/lab/bench/escape": {root + "/internal/archive", root + "/app/assess",
		root + "/lab/foreign", root + "/internal/number"},
	root + "/lab/bench/lint":       {root + "/internal/archive", root + "/internal/number", root + "/lab/bench/lint/heavy", root + "/lab/foreign"},
	root + "/lab/bench/lint/heavy": {root + "/internal/archive", root + "/app/child", root + "/instance"},
	root + "/lab/bench/heap":       {root, root + "/app/heapdump", root + "/app/prove", root + "/internal/number"},
	root + "/lab/bench/init":       {root + "/app/child", root + "/app/setup"},
	root + "/lab/bench/load":       {root + "/app/load", root + "/app/load/rpc"},
	root + "/app/load/limit":       {root + "/internal/number", root + "/app/load", root + "/vitals"},
	root + "/app/prometheus": {root + "/vitals", root + "/internal/room", root + "/internal/plain",
		root + "/internal/redact", root + "/internal/redirect"},

	root + "/lab/demo": {root + "/internal/number",
		root, root + "/casefile", root + "/vitals", root + "/app/prove", root + "/app/child",
		root + "/lab/phones", root + "/lab/stage"},
	root + "/lab/play": {root + "/app/fix", root + "/app/tool",
		root + "/internal/number",
		root, root + "/casefile", root + "/vitals", root + "/internal/near", root + "/app/prove",
		root + "/app/child", root + "/diagnose/traces",
		root + "/lab", root + "/lab/cpus", root + "/lab/kafka", root + "/lab/redis", root + "/lab/stage",
		root + "/lab/tables"},
	root + "/lab/answers": {root + "/app/answer", root + "/app/ask", root + "/app/assess", root + "/app/brief",
		root + "/app/facts", root + "/app/source", root + "/casefile", root + "/internal/archive", root + "/internal/number",
		root + "/internal/plain", root + "/lab/choose"},
	root + "/lab/settle": {root + "/app/facts", root + "/internal/archive", root + "/internal/truth", root + "/app/settle", root + "/app/source", root + "/casefile", root + "/diagnose"},
	root + "/lab/gains": {root + "/internal/archive", root + "/casefile", root + "/diagnose", root + "/internal/number", root + "/internal/words",
		root + "/lab/faults/evidence"},
	root + "/lab/gains/cmd/gains": {root + "/internal/archive", root + "/lab/choose", root + "/lab/gains"},
	root + "/lab/spikes/cmd/spikes": {root, root + "/app/prometheus", root + "/casefile", root + "/instance",
		root + "/lab/choose", root + "/lab/faults/evidence", root + "/vitals"},
	root + "/lab/stage": {root, root + "/instance", root + "/casefile", root + "/vitals", root + "/app/load",
		root + "/app/load/limit", root + "/app/prove", root + "/app/prometheus",
		root + "/app/trace", root + "/diagnose/traces", root + "/app/child", root + "/lab/cpus", root + "/lab/quota"},
	root + "/lab/stage/stagetest": {root + "/internal/built"},

	root + "/lab/faults":          {root + "/app/load", root + "/lab/faults/shop"},
	root + "/lab/faults/shop":     {},
	root + "/lab/faults/registry": {root + "/lab/faults/..."},
	root + "/lab/faults/evidence": {root + "/internal/archive", root + "/app/trace", root + "/diagnose/traces", root, root + "/casefile",
		root + "/rule", root + "/instance", root + "/vitals"},
	root + "/lab/faults/cmd/fault":  {root + "/lab/faults", root + "/lab/faults/registry", root + "/lab/quota"},
	root + "/lab/faults/cmd/record": {root + "/lab/faults/...", root + "/casefile", root + "/diagnose"},
	// The kinds: patients.
	root + "/lab/faults/...": {root + "/lab/faults", root + "/lab/faults/shop", root + "/lab/faults/backend"},
	root + "/lab/trial": {root + "/casefile", root + "/vitals", root + "/app/load", root + "/app/load/rpc",
		root + "/app/load/targets", root + "/app/child"},
	root + "/lab/trial/cmd/trial": {root + "/lab/choose", root + "/lab/trial"},
	root + "/lab/trial/...":       {root + "/lab/trial/..."}, // services that get ill under load, and healthy ones
	root + "/lab/known":           {root + "/app/syntax", root + "/diagnose/known"},
	root + "/lab/field": {root + "/lab/choose", root + "/lab/field/live", root + "/lab/foreign", root + "/lab/trial",
		root + "/app/load", root + "/casefile", root + "/internal/truth", root + "/vitals"},
	root + "/lab/field/live":   {root + "/app/child", root + "/app/load", root + "/lab/trial"}, // services of lab/unseen, as they run
	root + "/lab/unseen/agree": {root + "/internal/archive", root + "/lab/field/live"},
	root + "/lab/unseen/keep":  {root + "/casefile", root + "/lab/faults/evidence"},
	root + "/lab/foreign": {root + "/internal/archive", root + "/casefile", root + "/vitals", root + "/lab/trial",
		root + "/app/load", root + "/app/child", root + "/lab/quota"},
	root + "/lab/foreign/cmd/foreign": {root + "/lab/choose", root + "/lab/foreign", root + "/lab/faults/evidence",
		root + "/lab/trial", root + "/casefile"},
	root + "/lab/leaks":            {}, // a patient
	root + "/lab/leaks/cmd/record": {root + "/lab/faults/evidence", root + "/casefile"},
	// Patients that the authors of the detectors have not seen.
	root + "/lab/holdout/...":  {root + "/lab/holdout/..."},
	root + "/lab/holdout2/...": {}, // the second hold-out: services that import nothing of ours
	root + "/lab/queues/...":   {}, // patients with queues, and healthy ones that look alike
	root + "/lab/holdout/cmd/holdout": {root + "/internal/archive", root + "/lab/choose", root + "/lab/faults/evidence", root + "/casefile",
		root + "/diagnose", root + "/rule", root + "/lab/quota"},
	root + "/app/stat": {},
	root + "/app/prove": {root + "/internal/number", root + "/internal/words",
		root + "/app/closing", root + "/app/load", root + "/app/stat", root + "/casefile", root + "/vitals",
		root + "/internal/cgroup", root + "/internal/plain"},
	// Processes started, awaited and stopped.
	root + "/app/child": {root + "/instance", root + "/casefile", root + "/internal/redirect"},
	// Files that a person named.
	root + "/app/openfile": {},
	// git, the go command, and what they build.
	root + "/app/tool":          {root + "/app/child"},
	root + "/app/tool/tooltest": {}, // trees that want to run something, for tests
	// Builds of git revisions.
	root + "/app/revision": {root + "/app/tool"},
	root + "/app/prove/trial": {root + "/internal/number",
		root + "/app/load", root + "/app/prove", root + "/app/child", root + "/casefile",
		root + "/diagnose/stacks",
		root + "/internal/cgroup", root + "/vitals"},
	root + "/lab/bench/prove": {root + "/app/child", root + "/app/load", root + "/app/prove",
		root + "/app/prove/...", root + "/casefile"},
	root + "/app/prove/server":       {}, // the patient
	root + "/lab/bench/targets":      {root + "/internal/number"},
	root + "/lab/bench/mcp":          {root + "/internal/archive", root + "/internal/number"},
	root + "/lab/bench/queue":        {root + "/app/load"},
	root + "/lab/bench/queue/server": {}, // the patient
	root + "/lab/bench/demo":         {root + "/app/prove", root + "/casefile"},
	root + "/lab/bench/shelf":        {root + "/casefile"},
	root + "/lab/bench/serve": {root + "/internal/archive", root + "/app/access", root + "/app/store/storetest",
		root + "/casefile", root + "/diagnose",
		root + "/lab/faults/evidence"},
	root + "/lab/bench/ranking": {root + "/internal/archive", root + "/app/engine", root + "/app/engine/enginetest", root + "/app/ranking",
		root + "/app/store", root + "/app/store/drivers"},
	root + "/lab/bench/recorder": {root, root + "/app/prove", root + "/app/stat"},
	root + "/app/difference": {root + "/internal/number", root + "/internal/plain", root + "/internal/words",
		root + "/diagnose", root + "/diagnose/stacks", root + "/casefile", root + "/vitals"},
	root + "/app/compare": {root + "/internal/number", root + "/app/difference",
		root + "/app/load", root + "/app/prove", root + "/app/render", root + "/app/report",
		root + "/app/stat", root + "/diagnose", root + "/internal/room",
		root + "/casefile", root + "/vitals"},
	root + "/app/gate": {root + "/internal/number", root + "/internal/words",
		root + "/app/child", root + "/app/revision", root + "/app/syntax", root + "/app/tool", root + "/app/load",
		root + "/app/prove", root + "/app/prove/...", root + "/app/render", root + "/app/stat", root + "/diagnose/stacks",
		root + "/casefile", root + "/vitals"},
	root + "/app/history": {root + "/app/gate", root + "/app/prove", root + "/app/render", root + "/app/revision", root + "/app/tool",
		root + "/app/stat", root + "/internal/number"},
	root + "/app/comment":             {root + "/internal/redirect"},
	root + "/app/comment/commenttest": {},
	root + "/app/escape":              {root + "/app/heat", root + "/app/tool", root + "/diagnose/stacks"},
	root + "/app/listing":             {root + "/app/facts", root + "/app/heat", root + "/app/source", root + "/casefile", root + "/diagnose", root + "/diagnose/stacks"},
	root + "/app/heat":                {root + "/casefile", root + "/diagnose", root + "/diagnose/stacks"},
	root + "/app/source": {root + "/diagnose/stacks", root + "/internal/number", root + "/app/tool",
		root + "/internal/words", root + "/casefile"},
	root + "/app/render": {root + "/app/difference", root + "/app/source", root + "/internal/words", root + "/internal/number",
		root + "/internal/plain", root + "/diagnose", root + "/remedy/catalogue",
		root + "/casefile", root + "/vitals"},
	root + "/app/anonymize": {root + "/diagnose/stacks", root + "/rule", root + "/casefile", root + "/vitals"},
	root + "/app/sourceurl": {root + "/diagnose/stacks", root + "/casefile"},
	root + "/app/report": {root + "/internal/words", root + "/internal/number",
		root + "/app/site",
		root + "/app/heat", root + "/app/listing",
		root + "/app/closing", root + "/app/load", root + "/app/prove", root + "/app/sourceurl", root + "/app/stat",
		root + "/diagnose/refs", root + "/diagnose/stacks", root + "/diagnose/traces", root + "/casefile",
		root + "/vitals"},

	root + "/lab/faults/gc_pointer_heap": {root + "/lab/faults", root + "/remedy/cache"}, // its twin takes the remedy
}

// rootRequires is everything that the root module may import from outside: everyone who imports Casebook gets it, too.
const rootRequires = "github.com/google/pprof/"

type pkg struct {
	ImportPath   string
	Module       struct{ Path string }
	Imports      []string
	TestImports  []string
	XTestImports []string
	Standard     bool
}

func list(t *testing.T, dir string) []pkg {
	t.Helper()
	checkout.Need(t)
	cmd := exec.Command("go", "list", "-json=ImportPath,Module,Imports,TestImports,XTestImports,Standard", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", dir, err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.ImportPath, "/testdata/") {
			pkgs = append(pkgs, p)
		}
	}
}

func TestArrows(t *testing.T) {
	var pkgs []pkg
	for _, module := range []string{"../../..", "../../../holmes", "../../../remedy", "..", "../../../app", "../../../lab"} {
		pkgs = append(pkgs, list(t, module)...)
	}
	if len(pkgs) < len(arrows) {
		t.Errorf("go list found %d packages, the table has %d: a row is stale", len(pkgs), len(arrows))
	}
	for _, p := range pkgs {
		allowed, known := row(p.ImportPath)
		if !known {
			t.Errorf("%s is not in the table of arrows; add it there and to docs/design.md", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, root+"/lab") && !strings.HasPrefix(p.ImportPath, root+"/lab") {
				t.Errorf("%s imports %s: only the lab imports the lab", p.ImportPath, imp)
			}
			if strings.HasPrefix(imp, root) && !matches(allowed, imp) {
				t.Errorf("%s imports %s: no such arrow", p.ImportPath, imp)
			}
		}
	}
}

// row is what a package may import: by its own row, otherwise by the longest pattern that matches it.
func row(path string) (allowed []string, known bool) {
	if allowed, known = arrows[path]; known {
		return allowed, true
	}
	longest := ""
	for pattern, list := range arrows {
		if len(pattern) > len(longest) && strings.HasSuffix(pattern, "/...") && matches([]string{pattern}, path) {
			longest, allowed, known = pattern, list, true
		}
	}
	return allowed, known
}

func matches(patterns []string, imp string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if below, ok := strings.CutSuffix(p, "/..."); ok {
			return imp == below || strings.HasPrefix(imp, below+"/")
		}
		return imp == p
	})
}

// TestRootModule holds the promise that importing Casebook brings one dependency, including for its tests.
func TestRootModule(t *testing.T) {
	for _, p := range list(t, "../../..") {
		for _, imp := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			first, _, _ := strings.Cut(imp, "/")
			outside := strings.Contains(first, ".") && !strings.HasPrefix(imp, root)
			if outside && !strings.HasPrefix(imp, rootRequires) {
				t.Errorf("%s imports %s: the root module may require only github.com/google/pprof", p.ImportPath, imp)
			}
			if strings.HasPrefix(imp, root+"/app") || strings.HasPrefix(imp, root+"/lab") {
				t.Errorf("%s imports %s: the root module never imports app/ or lab/", p.ImportPath, imp)
			}
		}
	}
}

// TestBinary: the vulnerabilities of every module that casebook links become its own. So there are few modules, and
// none is only for the lab.
func TestBinary(t *testing.T) {
	// 7 are analyzers, and what they stand on (docs/lint.md); one is demangle, which google/pprof's own pages bring
	// (app/pprofweb); 7 are the Model Context Protocol's SDK and what it stands on (app/mcp); 23 more are SQLite,
	// PostgreSQL and S3 for casebook serve --store
	for program, most := range map[string]int{"casebook": 39, "casebook-store": 62} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/"+program)
		cmd.Dir = "../../../app"
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		modules := strings.Fields(string(out))
		slices.Sort(modules)
		modules = slices.Compact(modules)
		if slices.Contains(modules, root+"/lab") {
			t.Errorf("%s links the lab", program)
		}
		foreign := slices.DeleteFunc(modules, func(m string) bool { return strings.HasPrefix(m, root) })
		if len(foreign) > most || len(foreign) == 0 {
			t.Errorf("%s links %d modules by others, want %d at most: %s", program, len(foreign), most,
				strings.Join(foreign, " "))
		}
	}
}

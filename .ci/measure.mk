# What measures, attacks and records, for Casebook's developers: hours rather than minutes. The Makefile has it; here it
# is out of the module that people import.

.PHONY: lab trial race fuzz catalogue evidence
.PHONY: bench bench-watch bench-cache bench-holmes bench-load bench-remedies bench-batch bench-hedge bench-remedy-cache
.PHONY: bench-gctune bench-prove bench-queue bench-rounds bench-demo bench-gate bench-rules bench-shelf bench-history

# What a cold build of casebook costs: CPU seconds with an empty build cache, modules that are linked, and bytes.
.PHONY: bench-build
bench-build:
	@.ci/bench-build

# Every sick service of the lab, its cure, and docs/evidence/lab.md from the run: about 50 minutes on 2 idle cores.
lab: bin/lab deps
	bin/lab run all --doc docs/evidence/lab.md --json lab/results.json
	gzip -9nf lab/results.json
	@$(MAKE) --no-print-directory articles lab-summary

# app/server/lab.json from lab/results.json.gz: what the page of the lab in casebook serve has.
.PHONY: lab-summary
lab-summary:
	cd lab && go test ./play -count=1 -run 'TestSummary$$' -update

# docs/evidence/articles.md from the table in lab/articles and the lab's figures in docs/evidence/lab.md.
.PHONY: articles
articles:
	cd lab && go test ./articles -count=1 -run TestPage -update

# docs/pictures: pages of recorded cases, as Chromium shows them. app/server/pictures_test.go lists them.
.PHONY: pictures
pictures: deps
	cd app && go test ./server -count=1 -run 'TestPictures$$' -update

# Services written by somebody else, sick and healthy, watched with the default rules: is each fault noticed in time,
# with the right line and remedy, and is nothing reported for the healthy ones? About 25 minutes on 2 idle cores.
trial: build
	cd lab && go run ./trial/cmd/trial -casebook ../bin/casebook

.PHONY: field
# Services of public reports and healthy real servers, running, watched with the default rules: is each fault noticed in
# time, is what is said true, and is nothing said of the rest? ROWS='pages|orders' runs some of them. All take some hours,
# and want a machine that does nothing else.
field: build
	cd lab && go run ./field -casebook ../bin/casebook -bin ../bin/foreign -rows '$(or $(ROWS),.*)' $(if $(ROWS),,-write ../docs/evidence/field-live.md)

.PHONY: foreign
# Well-known third-party services (lab/foreign), built from the module proxy and watched with the default rules, healthy
# and in a state of overload or misconfiguration: docs/evidence/foreign.md. RUN='nats-.*' runs some of them. The builds take half
# an hour on 2 cores, the watches as long. One of the sick services needs root, for a cgroup. The evidence goes into the
# detectors' tests.
foreign: build
	cd lab && go run ./foreign/cmd/foreign -casebook ../bin/casebook -bin ../bin/foreign -cases ../bin/foreign-cases \
	  -results ../bin/foreign.jsonl -run '$(or $(RUN),.*)' -keep -courses foreign/testdata/courses
	go test ./internal/tests/diagnose -count=1 -run 'TestForeign$$|TestCases/foreign' -v

.PHONY: modules
# Services that use the most imported modules (lab/modules), recorded again under load, and compared with
# diagnose/testdata/truth.tsv: make modules RUN='redis.*'. About 40 s each; needs Debian's postgresql, redis-server and memcached. The
# module is not among NESTED: it has no tests, and 150 dependencies that only the recording needs.
modules: deps
	cd lab && go run ./holdout/cmd/holdout -programs modules -list modules.json -run '$(or $(RUN),.*)' \
	  -group modules
	go test ./internal/tests/diagnose -count=1 -run 'TestModules|TestCases/modules' -v

.PHONY: kube kube-server kube-plain
# A real kube-apiserver, etcd, kustomize and Helm (lab/kube/server), built from the module proxy, and what lab/kube asks of
# them: about half an hour of compiling at first on 2 cores, then three minutes. Not part of make test.
kube: kube-server build
	cd lab && go build -o ../bin/bench-targets ./bench/targets
	cd lab && CASEBOOK_KUBE_SERVER=$(CURDIR)/bin/kube-server CASEBOOK=$(CURDIR)/bin/casebook \
	  CASEBOOK_TARGETS=$(CURDIR)/bin/bench-targets \
	  go test ./kube -count=1 -v -timeout 60m

kube-server:
	cd lab/kube/server && GOWORK=off go build -o ../../../bin/kube-server .

# app/deploy/casebook.yaml from app/deploy/base.
kube-plain: kube-server
	{ head -1 app/deploy/casebook.yaml; bin/kube-server kustomize app/deploy/base; } >bin/casebook.yaml
	mv bin/casebook.yaml app/deploy/casebook.yaml

# docs/licences.md from the licence files of all modules that are linked.
.PHONY: licences
licences:
	go test ./internal/tests/supply -count=1 -run TestLicences -update

# The tests again, uncached and twice: races show at random.
race:
	@for m in $(MODULES); do (cd $$m && go test -race -count=2 -timeout 60m ./...) || exit 1; done

# Every fuzz target changes its seeds FUZZTIME, a number of inputs or a time; FUZZERS packages at a time. With GUIDED=1 it
# goes on from what reaches new code, and prints the rows of docs/evidence/attacks.md. FUZZ='app/kube .*' runs some.
FUZZTIME ?= 300x
FUZZERS ?= 2
fuzz:
	@FUZZTIME=$(FUZZTIME) FUZZERS=$(FUZZERS) GUIDED=$(GUIDED) FUZZ='$(FUZZ)' .ci/fuzz

# What hostile evidence, targets and files do to Casebook, one figure per line. ATTACK cases are changed by structure
# and as many by bytes; evidence has 300,000 distinct stacks; crafted files and answers must not use much memory; no
# terminal may act on foreign text. A watch that takes cases is killed KILLS times. A store takes ATTACK uploads beside
# sweeps. Hosts and readers stall, targets hang, disks are full, and targets do what they may to a watch in 128 MiB. About
# an hour on 2 cores. docs/evidence/attacks.md has the figures.
ATTACK ?= 10000
KILLS ?= 500
.PHONY: attack
attack: deps
	@mkdir -p bin; log=$(CURDIR)/bin/attack.log; export CASEBOOK_ATTACK=$(ATTACK); failed=0; \
	try() { go test "$$@" -count=1 -v -timeout 2h >"$$log" 2>&1 || failed=1; grep -E 'attack:|^ *--- FAIL|^(ok|FAIL|panic)' "$$log"; }; \
	try ./internal/tests/diagnose -run 'TestStructure|TestBytes|TestManyStacks'; \
	try ./diagnose/stacks ./instance ./internal/tests/diagnose/stacks ./internal/tests/instance ./internal/tests/redirect -run 'TestBombs|TestHostile|TestSameHost|TestSecretsStay'; \
	try ./casefile ./internal/tests/casefile -run 'TestKill|TestIndex|FullDisk|TestImport'; \
	cd app; try ./cli -run 'Proxies'; \
	try ./report ./cli -run 'NoTerminal|Hostile|FuzzWrite|NoSecret|InterruptWhile|InterruptOn|DiagnoseTheMachine'; \
	try ./tool -run 'TrapsWork|RunsNothing|RunsCode|Filter|Limit'; \
	try ./server -run 'Together|RefusedBody'; try ./store -run 'TestParts'; try ./mcp ./kube -run 'SessionsEnd|Endless'; \
	export CASEBOOK_KILLS=100; try ./cli -run 'TestKilledServer'; \
	export CASEBOOK_UPLOADS=$(ATTACK); try ./store -run 'TestSweepBesideUploads'; \
	export CASEBOOK_ATTACKS=$(KILLS); try ./cli -run 'TestBehaviours|ServerInLittleMemory'; exit $$failed
	@CASEBOOK_ATTACKS=$(KILLS) go test ./internal/tests/casebook -count=1 -v -parallel 8 -timeout 3h \
	  -run 'KilledWatchTells|StartTells|HostThatStalls|RoguesOfTheHost|StopInside|EndsByItself|HangLeaves|FullDisk|TripWithout' >bin/attack.log 2>&1; \
	ended=$$?; grep -v '^=== ' bin/attack.log; exit $$ended
	@$(MAKE) --no-print-directory soak
	@cd app && go test ./cli -count=1 -timeout 1h \
	  -run 'NoFile|StandardInput|ImportDraws|ReaderThatStalls|HangupEnds|SecondSignal|WebhookOutlives|CollectorSpool|KilledWatch'

# Whether a watch of ten targets grows: SOAK of real processes every 100 ms with cases all the time, and a day on a fake
# clock. From the middle third to the last, memory must stay within 5 %, goroutines and descriptors must not grow.
# SOAK=1h is the full promise.
SOAK ?= 5m
.PHONY: soak
soak:
	@mkdir -p bin; CASEBOOK_SOAK=$(SOAK) go test ./internal/tests/casebook -count=1 -run 'TestSoak' -v -timeout 30h >bin/soak.log 2>&1; ended=$$?; \
	grep -E 'attack:|soak_linux_test|^ *--- FAIL|^(ok|FAIL|panic)' bin/soak.log; exit $$ended

# Every benchmark of all modules, including the cost of watching, and the comparison with mosn.io/holmes: half an hour.
bench: build
	@for m in $(MODULES); do (cd $$m && go test -run '^$$' -bench . -benchtime 1s ./...) || exit 1; done
	$(MAKE) bench-holmes

# What watching costs the gateway while nothing happens: with and without, in turns.
bench-watch: build
	cd lab && go test -run '^$$' -bench WatchCost -benchtime 1x -timeout 20m ./demo

# Casebook beside mosn.io/holmes in one run: a tick, a busy service, memory, spikes of CPU. About 20 minutes on an idle
# machine.
bench-holmes:
	cd lab/bench/holmes && GOWORK=off go run . -spikes 20

# What casebook load promises: quantiles compared with the truth and with wrk (Debian's package wrk), and rates up to
# 30,000 a second. About two minutes on an idle machine.
bench-load:
	cd lab && go build -o ../bin/bench-load ./bench/load
	bin/bench-load

# The gateway's caches at their full size: one process each, 5 million entries.
bench-cache:
	cd lab && PHONES_BENCH_ENTRIES=5000000 go test -run "^$$" -bench Cache -benchtime 0.5s -timeout 30m ./phones

# The remedies, each beside what it replaces: three quarters of an hour on an idle machine. Each can be run alone.
bench-remedies: bench-batch bench-hedge bench-gctune bench-remedy-cache

# Items per flush and delays of remedy/batch under load, and the cost for a lone item: half a minute.
bench-batch:
	go test -run '^$$' -bench 'Load' -benchtime 1x ./remedy/batch
	go test -run '^$$' -bench 'Lone' -benchtime 300ms ./remedy/batch

# remedy/hedge with two backends, one with slow calls and one that stalls: two minutes.
bench-hedge:
	cd remedy/hedge/bench && GOWORK=off go run .

# remedy/cache beside ten others: hit ratios, memory, speed, a service. Half an hour, half of it for the service, at 25
# s per process. Each part says how long it took, and -part runs one alone.
bench-remedy-cache:
	cd remedy/cache/bench && GOWORK=off go run . -part policies
	cd remedy/cache/bench && GOWORK=off go run .

# False and missed failures of casebook gate: NULLS gates of the same benchmarks, a quarter as many of planted changes,
# and SERVICE gates of a server, the same and planted. About 8 and 16 minutes on an idle machine.
NULLS ?= 40
SERVICE ?= 10,5
bench-gate:
	cd app && CASEBOOK_BENCH_GATE=$(NULLS) CASEBOOK_BENCH_GATE_SERVICE=$(SERVICE) \
	  go test ./gate -count=1 -run 'TestGates|TestServiceGates' -v -timeout 2h

# The default rules on DAYS of 24 h of each healthy service, simulated with one sample per second, with the number of
# false alarms; and on the same services with leaks, with the time to the trip. A minute per day on 2 cores.
DAYS ?= 3
bench-rules:
	@mkdir -p bin; CASEBOOK_BENCH_RULES=$(DAYS) go test ./internal/tests/rule -count=1 \
	  -run 'TestDefaultIsSilentForADay|TestDefaultSeesLeaks|TestDefaultSeesTheTrial' -v -timeout 1h >bin/bench-rules.log 2>&1; ended=$$?; grep -v '^=== ' bin/bench-rules.log; exit $$ended

# The collector's settings under four loads, in cgroups with a memory limit: 10 minutes; needs root, for the cgroups.
bench-gctune:
	go test -run '^$$' -bench 'Idle|Decide' ./remedy/gctune
	cd remedy/gctune/bench && GOWORK=off go run .

# How often casebook prove is wrong, and how often it finds planted slow-downs: 25 minutes; QUICK=1: 5 minutes.
bench-prove:
	cd lab && go run ./bench/prove $(if $(QUICK),-quick)

# What casebook load and casebook prove say about a queue, a lock over 10 ms of I/O and its fix: waits compared with the
# formula, and proofs at 60 and 115 requests a second. About 15 minutes.
bench-queue: build
	cd lab && go run ./bench/queue

# How often the change points of casebook history are wrong, and which it finds: the tables of docs/evidence/history.md.
bench-history:
	cd app && CASEBOOK_BENCH_HISTORY=1 go test ./history -count=1 -v -run 'TestMeasure$$' -timeout 1h

# How often a comparison of rounds, as casebook compare makes from two load runs, is wrong and what it finds, depending
# on how similar neighbouring rounds are: the table of docs/evidence/prove.md. REPLICATES comparisons without a change for
# each line; 10,000 take a quarter of an hour.
REPLICATES ?= 10000
bench-rounds:
	cd app && CASEBOOK_BENCH_ROUNDS=$(REPLICATES) go test ./prove -count=1 -run TestBenchRounds -v -timeout 3h

# The demo N times, every second time beside a busy loop, and what each said. N=10 takes about 20 minutes. It fails
# unless all end in "better".
N ?= 10
bench-demo: bin/lab
	cd lab && go build -o ../bin/bench-demo ./bench/demo
	bin/bench-demo -lab bin/lab -n $(N)

# What commands cost with CASES small cases: time and peak memory. A minute. OLD=/path/to/casebook compares with another
# binary.
CASES ?= 10000
bench-shelf: build
	cd lab && go build -o ../bin/bench-shelf ./bench/shelf
	bin/bench-shelf -casebook $(if $(OLD),$(OLD)$(comma))bin/casebook -n $(CASES)

# What pages and lists of casebook serve take with CASES cases, and whether it takes in 50 cases of 1 MB a second for
# INGEST without losing one, over SQLite and over PostgreSQL with S3. Needs Debian's postgresql and 20 GB of disk. About 25
# minutes.
INGEST ?= 5m
.PHONY: bench-serve
bench-serve: build build-store
	cd lab && go run ./bench/serve -n $(CASES) -for $(INGEST)

comma := ,

# What one casebook watch takes for TARGETS simulated targets that answer as five real services did, and how many samples
# it misses. Two minutes. The processes share the machine: measure on an idle one.
TARGETS ?= 1000
.PHONY: bench-targets
bench-targets: build
	cd lab && go run ./bench/targets -n $(TARGETS)

# What casebook mcp costs: how long it takes to its first answers, and its memory. A minute.
.PHONY: bench-mcp
bench-mcp: build
	cd lab && go run ./bench/mcp

# Third-party packages in remedy/catalogue, compared with the module proxy: licences and what their go.mod adds.
catalogue:
	CASEBOOK_REGISTRY=1 go test -count=1 -run TestAgainstRegistry -v ./remedy/catalogue

# Evidence of the proving ground's faults recorded again, for the kinds that match KIND, and compared with
# diagnose/testdata/truth.tsv: make evidence KIND='alloc-.*'. About 25 s per variant on an idle machine.
evidence:
	@test -n "$(KIND)" || { echo "make evidence wants the kinds: make evidence KIND='alloc-.*'"; exit 2; }
	cd lab && go run ./faults/cmd/record -kind '$(KIND)' -keep
	go test ./internal/tests/diagnose -count=1 -run 'TestCases/^($(subst -,_,$(KIND)))/^(faulty|limit|repaired)$$'
	go test ./internal/tests/diagnose -count=1 -run TestProvingGround -v

# casebook mcp asked by the Model Context Protocol's inspector, over standard input and output and over HTTP. It needs
# npm's registry once, and is not part of make test.
.PHONY: mcp-inspector
mcp-inspector: build
	@.ci/mcp-inspector

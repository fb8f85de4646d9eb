# Casebook. `make demo` shows what it does; `make test` tests casebook in minutes, and `make test-all` tests everything.
# All need Go 1.26 and make; the tests also what is in `deps`, which they install from Debian's packages.

MODULES     := . holmes remedy internal/tests app lab
NESTED      := lab/holmes lab/bench/holmes lab/bench/protobuf lab/bench/engines remedy/hedge/hedgegrpc remedy/hedge/bench \
               remedy/gctune/bench remedy/cache/bench lab/web lab/dist evidence
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
# lab/kube/server is not among them: what go vet needs to compile for it is Kubernetes, half an hour of two cores. Where
# make kube-server has done that, make check vets it, too.
# The root module promises Go 1.25, and all else here runs with 1.26; what a service is built with, its runtime prints.
GOS         := go1.25.0 go1.27.0
.PHONY: build demo test test-rest test-all check deps clean

# As `make dist` builds it: a linker that leaves DWARF out still has the compiler write it, a tenth of its time.
BUILD := CGO_ENABLED=0 go build -buildvcs=auto -gcflags=all=-dwarf=false -ldflags=-w
build:
	cd app && $(BUILD) -o ../bin/casebook ./cmd/casebook

# casebook with databases and buckets, which bin/casebook runs for serve --store and store. Releases have this one alone.
.PHONY: build-store
build-store:
	cd app && $(BUILD) -o ../bin/casebook-store ./cmd/casebook-store

# The lab: sick services, their loads, measurements and the demo. It is a program of its own, because it needs 40
# modules that casebook does not need.
bin/lab: FORCE
	cd lab && go build -buildvcs=auto -o ../bin/lab ./cmd/lab
FORCE:

# The whole loop on a small sick service that casebook brings itself: a minute, plus the build.
demo:
	@echo "Building casebook: a few seconds, or some two minutes where Go's build cache is empty"
	@$(MAKE) --no-print-directory build
	bin/casebook demo

# The same on the lab's gateway with its upstreams: about two minutes on two idle cores with 2 GiB, up to four on a busy
# machine, plus the build of the lab.
.PHONY: demo-lab
demo-lab: bin/lab
	bin/lab demo

# The scripts of the pages, from the TypeScript in app/report/web and app/server/web. They are committed: make check
# builds them again and compares. .ci/types checks their types, for which it needs npm once.
.PHONY: web types types-deps
web:
	cd lab/web && GOWORK=off go run .

types: types-deps
	.ci/types

types-deps:
	@if ! command -v npm >/dev/null; then \
	  echo "== installing from Debian's packages: nodejs npm"; \
	  SUDO=$$(test "$$(id -u)" = 0 || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null; \
	fi

# The short tests of casebook and of the module that services import: internal/tests/suite. go vet is part of make check.
test: deps
	@go run ./internal/tests/suite $(if $(ALL),-all -nested '$(NESTED)')
	go test -vet=off -tags casebook_nodiagnose -run LeftOut .

# What make test leaves out, for CI: long tests, those over an S3 server, the race detector where much is linked, the lab,
# the nested modules.
test-rest: deps
	@go run ./internal/tests/suite -rest -nested '$(NESTED)'

# Both, and nothing twice, as CI runs them: make test ALL=1.
test-all:
	@$(MAKE) --no-print-directory test ALL=1

# What the tests need besides Go: a browser that draws the report, proxies to stand before servers, and the Redis that
# services of the lab depend on.
deps:
	@want=""; command -v chromium >/dev/null || want="chromium fonts-dejavu-core"; \
	command -v redis-server >/dev/null || want="$$want redis-server"; \
	test -x /usr/sbin/nginx || want="$$want nginx-light"; \
	test -x /usr/sbin/haproxy || want="$$want haproxy"; \
	ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || want="$$want postgresql"; \
	if [ -n "$$want" ]; then \
	  echo "== installing from Debian's packages: $$want"; \
	  SUDO=$$(test "$$(id -u)" = 0 || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$want >/dev/null; \
	fi

check:
	@out=$$(gofmt -s -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt -s: $$out"; exit 1; fi
	@echo "== vet, staticcheck and tidy, modules $(MODULES)"
	@go vet $(MODULES:%=./%/...) && go run $(STATICCHECK) $(MODULES:%=./%/...)
	@for m in $(MODULES); do (cd $$m && go mod tidy -diff) || exit 1; done
	@for m in $(NESTED); do echo "== vet, staticcheck and tidy, module $$m"; (cd $$m && export GOWORK=off && \
	  go vet ./... && go run $(STATICCHECK) ./... && go mod tidy -diff) || exit 1; done
	@if [ -x bin/kube-server ]; then echo "== vet and tidy, module lab/kube/server"; cd lab/kube/server && export GOWORK=off && \
	  go vet ./... && go mod tidy -diff; else echo "lab/kube/server was not checked: make kube-server builds what vet needs"; fi
	@echo "== the root module on other systems, and with $(GOS)"
	@for m in . holmes remedy; do (cd $$m && go run $(CURDIR)/internal/tests/systems darwin windows) || exit 1; done
	@for v in $(GOS); do if GOTOOLCHAIN=$$v go version >/dev/null 2>&1; then \
	  for m in . holmes remedy; do (cd $$m && go run $(CURDIR)/internal/tests/systems linux@$$v) || exit 1; done; \
	else echo "$$v is not available here: the root module was not checked with it"; fi; done
	@if GOTOOLCHAIN=$(lastword $(GOS)) go version >/dev/null 2>&1; then GOTOOLCHAIN=$(lastword $(GOS)) GOWORK=off \
	  go test -short -vet=off -run 'SelfLeak|CaptureSpans' ./instance && cd internal/tests && \
	  GOTOOLCHAIN=$(lastword $(GOS)) GOWORK=off go test -short -vet=off -run 'SelfDump|LabelledDump|LeakProfile' \
	  ./instance ./diagnose/stacks; fi
	@echo "== the scripts of the pages: what is committed is what their sources make, and their types"
	@cd lab/web && GOWORK=off go run . -check
	@.ci/types
	@echo "== known vulnerabilities, all modules"
	@.ci/vulncheck $(MODULES) $(NESTED)

# The tags of a release, made in a clone in a temporary folder and tried as users would: docs/release.md. `make release
# VERSION=v0.4.0` also puts them into this repository, says how to push them, and makes the files of `make dist`.
.PHONY: release-check release dist
release-check:
	go run ./internal/tests/release

release:
	@test -n "$(VERSION)" || { echo "make release wants a version: make release VERSION=v0.4.0"; exit 2; }
	go run ./internal/tests/release -version $(VERSION) -tag
	$(MAKE) --no-print-directory dist

# Tracked files, what they take on a disk, and what go get of the root module downloads.
.PHONY: sizes
sizes:
	@go run ./internal/tests/release -sizes

# What people download, in bin/dist/VERSION: archives, Debian packages, a container image, SBOMs, checksums. Of the tag,
# or of HEAD where there is none. TARGETS=linux/amd64 builds for that alone. From an empty build cache a target takes two
# minutes of CPU. The first is built a second time and compared; VERIFY=all does so with all, VERIFY= with none.
VERSION_TO_BUILD = $(or $(VERSION),v0.0.0-check)
TARGETS ?= all
VERIFY ?= first
dist:
	cd lab/dist && GOWORK=off go run . -version $(VERSION_TO_BUILD) -targets $(TARGETS) -verify '$(VERIFY)'

# The archive, the Debian package and the image of `make dist`, each installed on a clean Debian and used; then the
# three commands of README.md by a new user, against a service under load. Needs root, and fetches the Debian once, by
# debootstrap. `make dist TARGETS=linux/amd64 install-check` is all that it needs on a PC.
.PHONY: install-check
install-check:
	@if ! command -v debootstrap >/dev/null; then \
	  echo "== installing from Debian's packages: debootstrap"; \
	  SUDO=$$(test "$$(id -u)" = 0 || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >/dev/null; \
	fi
	cd lab/dist && GOWORK=off go run ./install -files ../../bin/dist/$(VERSION_TO_BUILD)

clean:
	rm -rf bin

# Measurements, attacks, recordings, and the pages made of them.
include .ci/measure.mk

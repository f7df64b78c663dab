# Two commands for a new machine: `make run` and `make test`. Both install what they need first.

GO          ?= $(shell packaging/find-go)
TAGS        := sqlite_omit_load_extension,osusergo,netgo
VERSION     ?= $(shell packaging/version 2>/dev/null || echo unknown)
LDFLAGS     := -s -w -buildid= -X main.version=$(VERSION)
DATA        ?= run
# A count, not a time: go test calls a time that ends within an input a failure.
FUZZTIME    ?= 1000x
SUDO        := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

export CGO_ENABLED := 1
# go-sqlite3's own C is built without its warnings; ours has none.
export CGO_CFLAGS  := -O2 -g -Wno-deprecated-declarations

.PHONY: build run test test-vm lint unit race fuzz bench clean build-deps test-deps vm-deps help

help:
	@echo 'make run      build, then watch this machine in the foreground (asks for root)'
	@echo 'make test     every test: lint, units, real kills (root), race detector, fuzzing'
	@echo 'make test-vm  boots Debian in virtual machines and proves oomdoc in them (root, about 20 minutes)'
	@echo 'make build    bin/oomdoc'
	@echo 'make package  dist/*.deb and dist/*.rpm; make package-test looks at them (root)'
	@echo 'make bench    the figures of docs/benchmarks.md (root)'

build-deps:
	@packaging/install-deps build

test-deps:
	@packaging/install-deps test

vm-deps:
	@packaging/install-deps vm

build: build-deps
	$$(packaging/find-go) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)' -o bin/oomdoc ./cmd/oomdoc

run: build
	@mkdir -p $(DATA)
	$(SUDO) ./bin/oomdoc daemon --db $(DATA)/oomdoc.db

test: test-deps build lint unit race fuzz
	@echo 'all tests passed'

# golangci-lint is pinned in packaging/tools/go.mod, outside the product's own module.
lint:
	@test -z "$$($(GO) fmt -n ./... >/dev/null; gofmt=$$(dirname $(GO))/gofmt; $$gofmt -l $$(git ls-files '*.go') | tee /dev/stderr)"
	$(GO) vet -tags $(TAGS) ./...
	$(GO) tool -modfile=packaging/tools/go.mod golangci-lint run --allow-parallel-runners --build-tags $(TAGS)

# A skipped test fails the run unless packaging/skips.txt names it with its reason.
unit:
	$(GO) test -tags $(TAGS) -count=1 -timeout 20m -json ./... | $(GO) run ./packaging/skips packaging/skips.txt

race:
	$(GO) test -tags $(TAGS) -race -short -count=1 -timeout 15m ./kmsg ./daemon ./store ./systemd ./proc

# Real systemd, real kernels, global shortage, power cuts: packaging/vm/README.md. The package of dist/ is installed, or
# else the binary. VM="MACHINE:SCENARIO" runs a part.
test-vm: vm-deps build
	$(GO) run ./packaging/vm $(VMFLAGS) $(VM)

fuzz:
	@for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -tags $(TAGS) -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    $(GO) test -tags $(TAGS) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$package || exit 1; \
	  done; \
	done

bench: build
	$(GO) test -tags $(TAGS),bench -count=1 -timeout 30m -run "^TestFigure" -v ./cmd/oomdoc

clean:
	rm -rf --one-file-system bin dist .cache

include packaging/package.mk

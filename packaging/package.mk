# What is installed, and the packages made of it. Included by the Makefile.

PREFIX      ?= /usr/local
DESTDIR     ?=
BINDIR       = $(PREFIX)/bin
LIBDIR       = $(PREFIX)/lib
SHAREDIR     = $(PREFIX)/share
# The daemon looks for its configuration here, whatever the prefix.
CONFDIR      = /etc/oomdoc
# The binary to install, and one that runs here, to write the completions.
BINARY      ?= bin/oomdoc
RUNNABLE    ?= $(BINARY)
SECTIONS     = 1 5 7 8

.PHONY: package package-deps package-test install uninstall dist

package-deps:
	@packaging/install-deps build
	@packaging/install-deps package

# dist/*.deb and dist/*.rpm for amd64 and arm64: the same bytes each time.
package: package-deps
	rm -f dist/*.deb dist/*.rpm
	packaging/package amd64
	packaging/package arm64

# Both made twice and compared, looked at, and the deb installed, upgraded,
# removed and purged in a fresh Debian.
package-test: package dist
	packaging/test/run

# The sources with the modules that they need, to build without a network.
dist: build-deps
	rm -f dist/oomdoc-*.tar.gz
	packaging/source

# For packagers, and for a machine without packages. It builds nothing and asks
# for nothing: run `make build` before it.
install:
	@test -x $(BINARY) || { echo '$(BINARY) is not there; build it first: make build' >&2; exit 1; }
	install -D -m 0755 $(BINARY) $(DESTDIR)$(BINDIR)/oomdoc
	@for unit in packaging/systemd/*; do \
	  install -D -m 0644 $$unit $(DESTDIR)$(LIBDIR)/systemd/system/$${unit##*/} && \
	  sed -i 's,/usr/bin/oomdoc,$(BINDIR)/oomdoc,' $(DESTDIR)$(LIBDIR)/systemd/system/$${unit##*/} || exit 1; \
	done
	install -D -m 0644 packaging/sysusers/oomdoc.conf $(DESTDIR)$(LIBDIR)/sysusers.d/oomdoc.conf
	install -D -m 0644 packaging/catalog/oomdoc.catalog $(DESTDIR)$(LIBDIR)/systemd/catalog/oomdoc.catalog
	install -D -m 0644 packaging/catalog/oomdoc.ko.catalog $(DESTDIR)$(LIBDIR)/systemd/catalog/oomdoc.ko.catalog
	@for section in $(SECTIONS); do \
	  for page in packaging/man/*.$$section; do \
	    install -d $(DESTDIR)$(SHAREDIR)/man/man$$section && \
	    gzip -9n < $$page > $(DESTDIR)$(SHAREDIR)/man/man$$section/$${page##*/}.gz && \
	    chmod 0644 $(DESTDIR)$(SHAREDIR)/man/man$$section/$${page##*/}.gz || exit 1; \
	  done; \
	done
	@install -d $(DESTDIR)$(SHAREDIR)/bash-completion/completions $(DESTDIR)$(SHAREDIR)/zsh/site-functions $(DESTDIR)$(SHAREDIR)/fish/vendor_completions.d
	$(RUNNABLE) completion bash > $(DESTDIR)$(SHAREDIR)/bash-completion/completions/oomdoc
	$(RUNNABLE) completion zsh > $(DESTDIR)$(SHAREDIR)/zsh/site-functions/_oomdoc
	$(RUNNABLE) completion fish > $(DESTDIR)$(SHAREDIR)/fish/vendor_completions.d/oomdoc.fish
	@chmod 0644 $(DESTDIR)$(SHAREDIR)/bash-completion/completions/oomdoc $(DESTDIR)$(SHAREDIR)/zsh/site-functions/_oomdoc $(DESTDIR)$(SHAREDIR)/fish/vendor_completions.d/oomdoc.fish
	@test -e $(DESTDIR)$(CONFDIR)/oomdoc.toml || install -D -m 0644 packaging/oomdoc.toml $(DESTDIR)$(CONFDIR)/oomdoc.toml
	@test -n '$(DESTDIR)' || { echo 'Then, once:'; \
	  echo '  sudo systemd-sysusers && sudo journalctl --update-catalog'; \
	  echo '  sudo systemctl daemon-reload && sudo systemctl enable --now oomdoc-helper.socket oomdoc.service'; }

# Takes away what install put there. Configuration and incidents stay.
uninstall:
	rm -f $(DESTDIR)$(BINDIR)/oomdoc $(DESTDIR)$(LIBDIR)/sysusers.d/oomdoc.conf
	rm -f $(DESTDIR)$(LIBDIR)/systemd/catalog/oomdoc.catalog $(DESTDIR)$(LIBDIR)/systemd/catalog/oomdoc.ko.catalog
	rm -f $(patsubst packaging/systemd/%,$(DESTDIR)$(LIBDIR)/systemd/system/%,$(wildcard packaging/systemd/*))
	rm -f $(foreach page,$(notdir $(wildcard packaging/man/*)),$(DESTDIR)$(SHAREDIR)/man/man$(subst .,,$(suffix $(page)))/$(page).gz)
	rm -f $(DESTDIR)$(SHAREDIR)/bash-completion/completions/oomdoc $(DESTDIR)$(SHAREDIR)/zsh/site-functions/_oomdoc $(DESTDIR)$(SHAREDIR)/fish/vendor_completions.d/oomdoc.fish

package classify

import "strings"

// selftestPlaces are where `oomdoc selftest` makes its cgroup: below the root of
// the tree, or as a transient unit of the system manager. Only root can make
// one there, so that nobody else can hide a kill behind this name.
func selftestPlaces() []struct{ before, after string } {
	return []struct{ before, after string }{
		{"/oomdoc-selftest-", ""},
		{"/system.slice/oomdoc-selftest-", ".service"},
		{"/system.slice/oomdoc-selftest-", ".scope"},
	}
}

// isSelftest tells the kill that the self-test caused, by the cgroup whose limit
// was hit; when the kernel's rate limit kept that back, by the cgroup that the
// victim was sampled in. A guess does not count.
func (r *reading) isSelftest() bool {
	if !r.isMemcg() {
		return false
	}
	path := r.limitCgroup()
	if path == "" {
		path = r.sampledCgroup()
	}
	for _, place := range selftestPlaces() {
		rest, starts := strings.CutPrefix(path, place.before)
		nonce, ends := strings.CutSuffix(rest, place.after)
		if starts && ends && isHex(nonce) {
			return true
		}
	}
	return false
}

func isHex(text string) bool {
	return text != "" && strings.Trim(text, "0123456789abcdef") == ""
}

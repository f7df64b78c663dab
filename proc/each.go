package proc

// Cgroups calls visit with the cgroup of each process that is remembered and
// lives, some of them more than once. Visit must not call the table.
func (t *Table) Cgroups(visit func(path string)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.live {
		if e.facts.Cgroup != "" {
			visit(e.facts.Cgroup)
		}
	}
}

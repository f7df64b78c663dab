package applog

// suffixes of Kubernetes quantities (k8s.io/apimachinery, pkg/api/resource).
func suffixes() []struct {
	text string
	size int64
} {
	return []struct {
		text string
		size int64
	}{
		{"Ki", kib}, {"Mi", mib}, {"Gi", gib}, {"Ti", gib << 10},
		{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"", 1},
	}
}

// quantity reads "91240Ki" at the start of text, in bytes; nil when there is none.
func quantity(text []byte) *int64 {
	n, rest, ok := decimal(text)
	if !ok {
		return nil
	}
	for _, suffix := range suffixes() {
		if len(rest) >= len(suffix.text) && string(rest[:len(suffix.text)]) == suffix.text {
			return scaled(n, suffix.size)
		}
	}
	return nil
}

func quantityAfter(text []byte, mark string) *int64 {
	rest, found := after(text, mark)
	if !found {
		return nil
	}
	return quantity(rest)
}

package classify

// A recent is a map that forgets its oldest entry when it is full.
type recent[K comparable, V any] struct {
	values map[K]V
	order  []K // a ring: next is the oldest once it is full
	next   int
	size   int
}

func newRecent[K comparable, V any](size int) recent[K, V] {
	return recent[K, V]{values: map[K]V{}, size: size}
}

func (r *recent[K, V]) get(key K) (V, bool) {
	value, has := r.values[key]
	return value, has
}

// put sets a value. A key that is there keeps its age.
func (r *recent[K, V]) put(key K, value V) {
	if _, has := r.values[key]; has {
		r.values[key] = value
		return
	}
	if len(r.order) < r.size {
		r.order = append(r.order, key)
	} else {
		delete(r.values, r.order[r.next])
		r.order[r.next] = key
		r.next = (r.next + 1) % r.size
	}
	r.values[key] = value
}

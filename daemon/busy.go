package daemon

import (
	"sync/atomic"
	"time"
)

// A busy says since when a loop works; its zero value waits. The loop's
// goroutine changes it, any other reads it.
type busy struct{ since atomic.Pointer[time.Time] }

// work says that the loop begins something; call what it returns when done.
func (b *busy) work() (done func()) {
	now := time.Now()
	b.since.Store(&now)
	return func() { b.since.Store(nil) }
}

// at is since when the loop works, the zero time when it waits.
func (b *busy) at() time.Time {
	if since := b.since.Load(); since != nil {
		return *since
	}
	return time.Time{}
}

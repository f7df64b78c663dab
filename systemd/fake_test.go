package systemd_test

import (
	"errors"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc/systemd"
)

var errAbsent = errors.New("no journal")

// A fakeJournal is a Sender that a test can take away or make hang.
type fakeJournal struct {
	mu       sync.Mutex
	err      error         // what Ready and Send answer
	hang     chan struct{} // Send hangs until it is closed; nil: it does not
	messages []systemd.Message
	patience []time.Duration
	running  int // Sends that have not returned
	most     int // the most of them at one time
}

func (f *fakeJournal) Ready() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (f *fakeJournal) Send(m systemd.Message, patience time.Duration) error {
	f.mu.Lock()
	f.running++
	f.most = max(f.most, f.running)
	f.patience = append(f.patience, patience)
	hang := f.hang
	f.mu.Unlock()
	if hang != nil {
		<-hang
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running--
	if f.err == nil {
		f.messages = append(f.messages, m)
	}
	return f.err
}

// set changes how it behaves.
func (f *fakeJournal) set(err error, hang chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err, f.hang = err, hang
}

// texts are the messages that it took.
func (f *fakeJournal) texts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	texts := make([]string, len(f.messages))
	for i := range f.messages {
		texts[i] = f.messages[i].Text
	}
	return texts
}

// A lockedBuffer is standard error.
type lockedBuffer struct {
	mu   sync.Mutex
	text []byte
	err  error // what Write answers
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return 0, b.err
	}
	b.text = append(b.text, p...)
	return len(p), nil
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.text)
}

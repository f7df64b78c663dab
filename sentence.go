package oomdoc

import (
	"bytes"
	"encoding/json"
	"time"
)

// Key names a sentence of lang's catalogue, for example
// "evidence.usage-at-limit". Logic chooses keys; only lang holds prose.
type Key string

// A Sentence is something to be said to a person: the key of the sentence and
// the typed facts that it needs. lang.Render fills in Text; until then a
// Sentence has no language.
//
// In JSON a rendered sentence is a plain string (the contract of
// docs/json.md), an unrendered one an object (what the store keeps, so that a
// later reader can choose another language).
type Sentence struct {
	Key  Key
	Args Args
	Text string
}

// Args are the facts of a sentence, by the name that the catalogue uses.
type Args map[string]Value

// Say makes a sentence that is not yet rendered.
func Say(key Key, args Args) Sentence { return Sentence{Key: key, Args: args} }

// IsZero tells a sentence that was never set; encoding/json's omitzero uses it.
func (s Sentence) IsZero() bool { return s.Key == "" && s.Text == "" }

type sentenceJSON struct {
	Key  Key  `json:"key"`
	Args Args `json:"args,omitempty"`
}

// MarshalJSON writes a string when the sentence is rendered, an object when not.
func (s Sentence) MarshalJSON() ([]byte, error) {
	if s.Text != "" || s.Key == "" {
		return plainJSON(s.Text)
	}
	return plainJSON(sentenceJSON{s.Key, s.Args})
}

// plainJSON leaves &, < and > as they are: a step with && must be readable in
// the output. Whoever puts the JSON into a page sets the outer encoder to
// escape them, which encoding/json does for what a Marshaler returns too.
func plainJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// UnmarshalJSON reads either form.
func (s *Sentence) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*s = Sentence{}
		return json.Unmarshal(data, &s.Text)
	}
	var object sentenceJSON
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	*s = Sentence{Key: object.Key, Args: object.Args}
	return nil
}

// ValueKind says how a language writes a Value.
type ValueKind string

// The kinds of values.
const (
	KindBytes    ValueKind = "b" // a size in bytes, written as KiB, MiB, GiB
	KindCount    ValueKind = "n" // a whole number of things, or a plain number
	KindPercent  ValueKind = "p" // a share, 0 to 100
	KindDuration ValueKind = "d" // nanoseconds
	KindTime     ValueKind = "t" // an instant, nanoseconds since 1970
	KindText     ValueKind = "s" // a name or other text that is not ours: never translated
	KindSentence ValueKind = "k" // another key of the catalogue, rendered in place
)

// A Value is one typed fact of a sentence. Numbers are in N (percent: in P),
// names in S.
type Value struct {
	Kind ValueKind `json:"k"`
	N    int64     `json:"n,omitempty"`
	P    float64   `json:"p,omitempty"`
	S    string    `json:"s,omitempty"`
}

// Bytes is a size in bytes.
func Bytes(n int64) Value { return Value{Kind: KindBytes, N: n} }

// Count is a whole number.
func Count[T ~int | ~int64 | ~uint64 | ~int32 | ~uint32](n T) Value {
	return Value{Kind: KindCount, N: int64(n)}
}

// Percent is a share of a hundred.
func Percent(p float64) Value { return Value{Kind: KindPercent, P: p} }

// Duration is a length of time.
func Duration(d time.Duration) Value { return Value{Kind: KindDuration, N: int64(d)} }

// Instant is a point in time.
func Instant(t time.Time) Value { return Value{Kind: KindTime, N: t.UnixNano()} }

// Text is a name from outside. It is not escaped here: the edge where it
// leaves (terminal, HTML) does that.
func Text(s string) Value { return Value{Kind: KindText, S: s} }

// Word is another sentence or word of the catalogue, rendered in place.
func Word(key Key) Value { return Value{Kind: KindSentence, S: string(key)} }

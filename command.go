package oomdoc

// KeyCommand is the key of a sentence that is a command line and nothing else.
// It reads the same in every language.
const KeyCommand Key = "command"

// Command is a step that a person can copy and type: one line, quoted for the
// shell where needed. A reader's view gives it a line of its own and never
// breaks or shortens it.
func Command(line string) Sentence {
	return Say(KeyCommand, Args{"command": Text(line)})
}

// IsCommand tells a sentence that Command made.
func (s Sentence) IsCommand() bool { return s.Key == KeyCommand }

package applog_test

import "testing"

// What stands before an error tells whether a program had it or somebody speaks
// of it.
func TestWhoSpeaksOfAnErrorDidNotHaveIt(t *testing.T) {
	const text = "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 7.79 GiB total capacity; 6.27 GiB already allocated; 17.31 MiB free; 6.55 GiB reserved in total by PyTorch)"
	for name, test := range map[string]struct {
		log  string
		want int
	}{
		"a chat":                           {"[10:12:01] <alice> RuntimeError: " + text + ", why?\n", 0},
		"a chat's operator":                {"2026-03-01 10:12:01 <@bob_> RuntimeError: " + text + "\n", 0},
		"a launcher's stream":              {"[1,0]<stderr>:RuntimeError: " + text + "\n", 1},
		"a priority":                       {"<3>RuntimeError: " + text + "\n", 1},
		"a level":                          {"10:12:01 <error> RuntimeError: " + text + "\n", 1},
		"the place of a warning":           {"10:12:01 <string> RuntimeError: " + text + "\n", 1},
		"a block that a page speaks of":    {"Lower the batch size. If you see\n\n    RuntimeError: " + text + "\n\nthen something else holds the card.\n", 0},
		"an error that a program explains": {"Sorry, when you started the run it failed with\n\n    RuntimeError: " + text + "\n", 1},
		"an indented error":                {"worker 3 of the job is done\n    RuntimeError: " + text + "\n", 1},
		"a test's name":                    {"tests/test_memory.py::test_message[\"" + text + "\"] PASSED [ 50%]\n", 0},
		"a shell":                          {"-bash: fork: Cannot allocate memory\n", 1},
		"a manual":                         {"DIAGNOSTICS\n       fork: Cannot allocate memory\n              The system has no memory left.\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := onlyPrograms(t, test.log); len(got) != test.want {
				t.Errorf("%d errors, want %d: %+v", len(got), test.want, got)
			}
		})
	}
}

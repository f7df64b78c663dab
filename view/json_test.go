package view_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/view"
)

// contract is the page that describes the document.
const contract = "../docs/json.md"

func TestJSONReadsBackAsItWas(t *testing.T) {
	inc := unitLimit()
	name := "\u009b2J\u202e\U000e0041\x7f<&>"
	inc.Process.Name = &name
	var out bytes.Buffer
	if err := view.JSON(&out, []oomdoc.Incident{inc}); err != nil {
		t.Fatal(err)
	}
	var document oomdoc.Document
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatalf("read back: %v", err)
	}
	got := document.Incidents[0]
	if diff := cmp.Diff(inc.Process, got.Process); diff != "" {
		t.Errorf("process (-want +got):\n%s", diff)
	}
	if document.Schema != oomdoc.Schema || got.Summary.Text != inc.Summary.Text {
		t.Errorf("got schema %q, summary %q", document.Schema, got.Summary.Text)
	}
}

func TestJSONLeavesItsInputAlone(t *testing.T) {
	incidents := []oomdoc.Incident{{ID: "x"}}
	if err := view.JSON(&bytes.Buffer{}, incidents); err != nil {
		t.Fatal(err)
	}
	if incidents[0].Evidence != nil || incidents[0].Fixes != nil {
		t.Errorf("JSON changed its input: %+v", incidents[0])
	}
}

// fields lists the JSON paths of a type, depth first: "incidents[].process.pid".
func fields(typ reflect.Type, path string, add func(string)) {
	switch typ.Kind() {
	case reflect.Pointer:
		fields(typ.Elem(), path, add)
		return
	case reflect.Slice:
		fields(typ.Elem(), path+"[]", add)
		return
	case reflect.Struct:
		if typ == reflect.TypeFor[oomdoc.Sentence]() || typ.PkgPath() == "time" {
			return
		}
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			child := strings.TrimPrefix(path+"."+name, ".")
			add(child)
			fields(typ.Field(i).Type, child, add)
		}
	}
}

// TestTheContractDescribesEveryField holds docs/json.md against the types, both
// ways: each field has a row, and no row has a field that is not there.
func TestTheContractDescribesEveryField(t *testing.T) {
	page, err := os.ReadFile(contract)
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllSubmatch(page, -1) {
		described[string(row[1])] = true
	}
	fields(reflect.TypeFor[oomdoc.Document](), "", func(path string) {
		path = strings.TrimPrefix(path, "incidents[].")
		if !described[path] {
			t.Errorf("%s has no row for `%s`", contract, path)
		}
		delete(described, path)
	})
	for path := range described {
		t.Errorf("%s describes `%s`, which is not in the document", contract, path)
	}
}

// TestTheExampleOfTheContractHasEveryField reads the page's example strictly
// and looks for each field in it.
func TestTheExampleOfTheContractHasEveryField(t *testing.T) {
	page, err := os.ReadFile(contract)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```json\n")
	example, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatalf("%s has no example", contract)
	}
	decoder := json.NewDecoder(strings.NewReader(example))
	decoder.DisallowUnknownFields()
	var document oomdoc.Document
	if err := decoder.Decode(&document); err != nil {
		t.Fatalf("read the example: %v", err)
	}
	var tree any
	if err := json.Unmarshal([]byte(example), &tree); err != nil {
		t.Fatal(err)
	}
	fields(reflect.TypeFor[oomdoc.Document](), "", func(path string) {
		if !present(tree, strings.Split(path, ".")) {
			t.Errorf("the example lacks %s", path)
		}
	})
}

// present tells whether a path leads anywhere in a JSON tree.
func present(tree any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	object, is := tree.(map[string]any)
	if !is {
		return false
	}
	name, list := strings.CutSuffix(path[0], "[]")
	child, has := object[name]
	if !has || !list {
		return has && present(child, path[1:])
	}
	items, _ := child.([]any)
	for _, item := range items {
		if present(item, path[1:]) {
			return true
		}
	}
	return false
}

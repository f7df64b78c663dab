package lang

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/oomdoc/oomdoc"

// A source is the type-checked Go of this repository, without tests. Packages
// of other modules stand empty in it: what is asked of it is only where our
// own types are used, so type errors about foreign names do not matter.
type source struct {
	root     string // of the repository
	fset     *token.FileSet
	packages map[string]*checked // by import path
}

type checked struct {
	pkg   *types.Package
	files []*ast.File
	info  types.Info
}

// repository is read once for all tests.
var repository = sync.OnceValues(readRepository)

func readSource(t *testing.T) *source {
	t.Helper()
	s, err := repository()
	if err != nil {
		t.Fatalf("read source: %v", err)
	}
	return s
}

func readRepository() (*source, error) {
	s := &source{root: "..", fset: token.NewFileSet(), packages: map[string]*checked{}}
	err := filepath.WalkDir(s.root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); dir != s.root && (name == "testdata" || name == "shared" || strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != s.root {
			return fs.SkipDir // another module
		}
		relative, err := filepath.Rel(s.root, dir)
		if err != nil {
			return err
		}
		_, err = s.Import(path.Join(module, filepath.ToSlash(relative)))
		return err
	})
	return s, err
}

// Import checks a package of this module, or gives an empty one for any other.
func (s *source) Import(importPath string) (*types.Package, error) {
	if done, has := s.packages[importPath]; has {
		return done.pkg, nil
	}
	if importPath != module && !strings.HasPrefix(importPath, module+"/") {
		empty := types.NewPackage(importPath, path.Base(importPath))
		empty.MarkComplete()
		return empty, nil
	}
	c := &checked{info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
	}}
	dir := filepath.Join(s.root, strings.TrimPrefix(importPath, module))
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", name, err)
		}
		c.files = append(c.files, file)
	}
	config := types.Config{Importer: s, FakeImportC: true, Error: func(error) {}}
	c.pkg, _ = config.Check(importPath, s.fset, c.files, &c.info)
	s.packages[importPath] = c
	return c.pkg, nil
}

// isOurs tells a type of the root package by its name.
func isOurs(t types.Type, name string) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == module
}

// isKey tells an expression of type oomdoc.Key.
func (c *checked) isKey(e ast.Expr) bool {
	known, has := c.info.Types[e]
	return has && known.IsValue() && isOurs(known.Type, "Key")
}

// constant gives the value of a constant string expression.
func (c *checked) constant(e ast.Expr) (string, bool) {
	known := c.info.Types[e]
	if known.Value == nil || known.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(known.Value), true
}

// calls tells a call of a function of the root package by its name.
func (c *checked) calls(call *ast.CallExpr, name string) bool {
	var called *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		called = f
	case *ast.SelectorExpr:
		called = f.Sel
	default:
		return false
	}
	object := c.info.Uses[called]
	return object != nil && object.Name() == name && object.Pkg() != nil && object.Pkg().Path() == module
}

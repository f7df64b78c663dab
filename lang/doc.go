// Package lang turns the typed facts of a sentence into words of English or
// Korean. It is the only place that holds prose; what uses a sentence names it
// by key (oomdoc.Key).
//
// The catalogue of a language is one Go file per package that uses the keys
// (en_classify.go, en_view.go). In a template
//
//	{name}                  is the fact of that name, written by its kind;
//	{name|record|records}   is a number with the word that goes with it;
//	{name|개}                is a number with its Korean counter;
//	{name:은/는}             is a fact with the particle that its sound asks for;
//	{:은/는}                 is the particle for what stands before it;
//	{{                      is a brace.
package lang

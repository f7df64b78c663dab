package lang

import "github.com/oomdoc/oomdoc"

// Help writes a text of the command's help, by a name that is put together from
// those of a command and an option ("command.last.short"). It is empty where the
// catalogues have none.
func (l *Language) Help(name string, args oomdoc.Args) string {
	template, known := l.template(oomdoc.Key(name))
	if !known {
		return ""
	}
	return l.fill(template, args)
}

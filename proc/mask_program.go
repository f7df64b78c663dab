package proc

import (
	"path"
	"strings"
)

// passwordFlags are the short flags by which a program takes a secret. They
// mean something else to other programs.
type passwordFlags struct {
	attached string // letters with the secret in the same argument: -pSECRET
	separate string // letters with the secret in the next: -p SECRET
	login    string // letters, attached or not, of user:password
}

// passwordFlagsOf knows programs by the name of their file.
func passwordFlagsOf(arg string) (passwordFlags, bool) {
	if arg == "" || len(arg) > maxNameLength {
		return passwordFlags{}, false
	}
	flags, known := passwordPrograms()[path.Base(arg)]
	return flags, known
}

func passwordPrograms() map[string]passwordFlags {
	mysql := passwordFlags{attached: "p"} // mysql(1): with a space it is the database's name
	return map[string]passwordFlags{
		"mysql": mysql, "mysqldump": mysql, "mysqladmin": mysql, "mysqlimport": mysql, "mysqlcheck": mysql,
		"mysqlshow": mysql, "mysqlpump": mysql, "mysqlbinlog": mysql, "mysqlsh": mysql,
		"mariadb": mysql, "mariadb-dump": mysql, "mariadb-admin": mysql, "mariadb-backup": mysql, "xtrabackup": mysql,
		"sshpass":       {attached: "p", separate: "p"},
		"redis-cli":     {attached: "", separate: "a"},
		"mongo":         {attached: "p", separate: "p"},
		"mongosh":       {attached: "p", separate: "p"},
		"mongodump":     {attached: "p", separate: "p"},
		"mongorestore":  {attached: "p", separate: "p"},
		"sqlcmd":        {attached: "P", separate: "P"},
		"bcp":           {attached: "P", separate: "P"},
		"ldapsearch":    {attached: "w", separate: "w"},
		"ldapmodify":    {attached: "w", separate: "w"},
		"ldapadd":       {attached: "w", separate: "w"},
		"ipmitool":      {attached: "P", separate: "P"},
		"mosquitto_pub": {separate: "P"},
		"mosquitto_sub": {separate: "P"},
		"zip":           {attached: "P", separate: "P"},
		"unzip":         {attached: "P", separate: "P"},
		"7z":            {attached: "p"},
		"7za":           {attached: "p"},
		"curl":          {login: "uU"},
		"smbclient":     {login: "U"},
	}
}

// match handles a flag of the program: what is left of it to show, and what the
// next argument is.
func (f passwordFlags) match(arg string) (kept string, next expectation, is bool) {
	if f.login != "" && (arg == "--user" || arg == "--proxy-user") {
		return arg, expectLogin, true
	}
	if len(arg) < 2 || arg[0] != '-' || arg[1] == '-' {
		return "", expectNothing, false
	}
	letter := arg[1:2]
	attached := len(arg) > 2
	switch {
	case strings.Contains(f.login, letter) && attached:
		return arg[:2] + maskLogin(arg[2:]), expectNothing, true
	case strings.Contains(f.login, letter):
		return arg, expectLogin, true
	case strings.Contains(f.attached, letter) && attached:
		return arg[:2] + masked, expectNothing, true
	case strings.Contains(f.separate, letter) && !attached:
		return arg, expectSecret, true
	}
	return "", expectNothing, false
}

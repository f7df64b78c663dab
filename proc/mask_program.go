package proc

import (
	"path"
	"strings"
)

// passwordFlags are the ways in which one program takes a secret that mean
// something else to other programs. Letters are those of short flags.
type passwordFlags struct {
	attached string // the secret is in the same argument: -pSECRET
	separate string // the secret is in the next: -p SECRET
	login    string // attached or not, user:password
	pair     string // the next argument is name=SECRET, or else a file's name
	switches string // take no value, so that one of the others may follow in the same argument: -sSu

	sign       string // parts user and password where it is not a colon
	command    string // all this is so only behind this word: docker login
	slash      string // prefix of an argument of which the rest is the secret: /p:SECRET
	positional bool   // behind the command, the next argument is the secret
	connect    bool   // the first argument that is no flag is a login up to its @
	properties bool   // bare names of secrets are followed by theirs: nmcli … password SECRET
}

// passwordFlagsOf knows programs by the name of their file.
func passwordFlagsOf(arg string) (flags passwordFlags, known bool) {
	if arg == "" || len(arg) > maxNameLength {
		return passwordFlags{}, false
	}
	switch path.Base(arg) {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlshow", "mysqlpump", "mysqlbinlog",
		"mysqlsh", "mysqlslap", "mariadb", "mariadb-dump", "mariadb-admin", "mariadb-backup", "xtrabackup",
		"7z", "7za", "7zz":
		flags.attached = "p" // mysql(1): behind a space it is the database's name
	case "sshpass", "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport":
		flags.attached, flags.separate = "p", "p"
	case "sqlcmd", "bcp", "ipmitool", "zip", "unzip":
		flags.attached, flags.separate = "P", "P"
	case "mosquitto_pub", "mosquitto_sub":
		flags.separate = "P"
	case "ldapsearch", "ldapmodify", "ldapadd", "ldapdelete":
		flags.attached, flags.separate = "w", "w"
	case "snmpget", "snmpset", "snmpwalk", "snmpbulkwalk", "snmptable":
		flags.attached, flags.separate = "AXc", "AXc" // snmpcmd(1): pass phrases and the community
	case "redis-cli":
		flags.separate = "a"
	case "ss-server", "ss-local", "ssserver", "sslocal":
		flags.separate = "k"
	case "influx":
		flags.separate = "t"
	case "curl":
		flags.login, flags.pair, flags.switches = "uU", "b", "sSfLkivgGINnaj#0123456"
	case "http", "https", "xh":
		flags.login = "a"
	case "smbclient", "rpcclient":
		flags.login, flags.sign = "U", "%"
	case "lftp":
		flags.login, flags.sign = "u", ","
	case "sqlplus", "expdp", "impdp", "rman":
		flags.connect, flags.sign = true, "/"
	case "xfreerdp", "xfreerdp3", "wlfreerdp", "sdl-freerdp", "sdl-freerdp3":
		flags.slash = "/p:"
	case "nmcli":
		flags.properties = true
	case "docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "az":
		flags.command, flags.separate = "login", "p"
	case "wandb", "vault":
		flags.command, flags.positional = "login", true
	case "ngrok":
		flags.command, flags.positional = "authtoken", true
	default:
		return passwordFlags{}, false
	}
	return flags, true
}

// word handles an argument of the program that is no flag: what the next one is.
func (f *passwordFlags) word(arg string) expectation {
	switch {
	case f.command != "" && (arg == f.command || arg == "add-"+f.command):
		f.command = ""
		if f.positional {
			return expectSecret
		}
	case f.properties && isSecretName(arg):
		return expectSecret
	}
	return expectNothing
}

// takesOne tells a program that is given one secret, after which another program
// may follow.
func (f *passwordFlags) takesOne() bool {
	return f.login == "" && !f.connect && !f.properties && len(f.separate) < 2
}

// match handles a flag of the program: what is left of it to show, and what the
// next argument is.
func (f *passwordFlags) match(arg string) (kept string, next expectation, is bool) {
	if f.login != "" && (arg == "--user" || arg == "--proxy-user") {
		return arg, expectLogin, true
	}
	if len(arg) < 2 || arg[0] != '-' || arg[1] == '-' || f.command != "" {
		return "", expectNothing, false
	}
	at := 1
	for at < len(arg)-1 && strings.IndexByte(f.switches, arg[at]) >= 0 {
		at++
	}
	letter, value := arg[at:at+1], at+1
	attached := len(arg) > value
	switch {
	case strings.Contains(f.login, letter) && attached:
		open := value + userLength(arg[value:], f.signOr())
		if open == len(arg) {
			return arg, expectNothing, true
		}
		return arg[:open] + masked, expectNothing, true
	case strings.Contains(f.login, letter):
		return arg, expectLogin, true
	case strings.Contains(f.pair, letter) && !attached:
		return arg, expectPair, true
	case strings.Contains(f.attached, letter) && attached:
		return arg[:value] + masked, expectNothing, true
	case strings.Contains(f.separate, letter) && !attached:
		return arg, expectSecret, true
	}
	return "", expectNothing, false
}

func (f *passwordFlags) signOr() string {
	if f.sign == "" {
		return ":"
	}
	return f.sign
}

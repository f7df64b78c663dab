package proc_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/proc"
)

func TestShortFlagsAreMaskedOnlyOfTheProgramThatTakesThem(t *testing.T) {
	tests := map[string]string{
		"mysql|-uroot|-pabc|shop":             "mysql|-uroot|-p***|shop",
		"/usr/bin/mysqldump|-pabc|shop":       "/usr/bin/mysqldump|-p***|shop",
		"sudo|mysql|-pabc":                    "sudo|mysql|-p***",
		"sshpass|-p|abc|ssh|-p|22|h":          "sshpass|-p|***|ssh|-p|22|h",
		"sshpass|-pabc|ssh|h":                 "sshpass|-p***|ssh|h",
		"redis-cli|-h|x|-a|abc|PING":          "redis-cli|-h|x|-a|***|PING",
		"curl|-u|me:abc|http://h/":            "curl|-u|me:***|http://h/",
		"curl|-ume:abc|http://h/":             "curl|-ume:***|http://h/",
		"curl|--user|me:abc|-U|p:q|http://h/": "curl|--user|me:***|-U|p:***|http://h/",
		"python3|-u|x:y.py":                   "python3|-u|x:y.py",
		"mkdir|-pabc":                         "mkdir|-pabc",
		"docker|run|-p|8080:80|x":             "docker|run|-p|8080:80|x",

		"docker|login|-u|me|-p|abc|registry":    "docker|login|-u|me|-p|***|registry",
		"helm|registry|login|h|-p|abc":          "helm|registry|login|h|-p|***",
		"docker|run|-p|80:80|x|mysql|-pabc":     "docker|run|-p|80:80|x|mysql|-p***",
		"sh|-c|docker login -u me -p abc h":     "sh|-c|docker login -u me -p *** h",
		"az|login|-u|me|-p|abc":                 "az|login|-u|me|-p|***",
		"az|vm|list|-p|abc":                     "az|vm|list|-p|abc",
		"python3|/usr/bin/wandb|login|abc|x":    "python3|/usr/bin/wandb|login|***|x",
		"vault|login|abc":                       "vault|login|***",
		"vault|status|abc":                      "vault|status|abc",
		"ngrok|config|add-authtoken|abc":        "ngrok|config|add-authtoken|***",
		"xfreerdp|/u:me|/p:abc|/v:h":            "xfreerdp|/u:me|/p:***|/v:h",
		"sqlplus|-S|scott/tiger@orcl|@x.sql":    "sqlplus|-S|scott/***@orcl|@x.sql",
		"sqlplus|/|as|sysdba":                   "sqlplus|/|as|sysdba",
		"smbclient|//h/s|-U|me%abc":             "smbclient|//h/s|-U|me%***",
		"lftp|-u|me,abc|h":                      "lftp|-u|me,***|h",
		"nmcli|c|mod|x|wifi-sec.psk|abc":        "nmcli|c|mod|x|wifi-sec.psk|***",
		"nmcli|dev|wifi|connect|x|password|abc": "nmcli|dev|wifi|connect|x|password|***",
		"snmpget|-v3|-u|me|-A|abc|-X|def|h":     "snmpget|-v3|-u|me|-A|***|-X|***|h",
		"http|-a|me:abc|http://h/":              "http|-a|me:***|http://h/",
		"curl|-sSu|me:abc|h":                    "curl|-sSu|me:***|h",
		"curl|-b|sid=abc|-b|cookies.txt|h":      "curl|-b|sid=***|-b|cookies.txt|h",
		"ss-server|-s|h|-k|abc":                 "ss-server|-s|h|-k|***",
		"curl|postgres://u:abc@h/mysql":         "curl|postgres://u:***@h/mysql",
		"tar|-k|abc|-b|20|-A|x|-t|y":            "tar|-k|abc|-b|20|-A|x|-t|y",
	}
	for line, want := range tests {
		if got := strings.Join(proc.MaskSecrets(split(line)), "|"); got != want {
			t.Errorf("MaskSecrets(%s)\n got %s\nwant %s", line, got, want)
		}
	}
}

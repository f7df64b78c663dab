package proc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/proc"
)

// An argument of a case ends at a bar, so that the cases read as typed.
func split(line string) []string { return strings.Split(line, "|") }

func TestSecretsOfFlagsAndVariablesAreMasked(t *testing.T) {
	tests := map[string]string{
		"serve|--api-key|abc|--port|80":              "serve|--api-key|***|--port|80",
		"serve|--api-key=abc|--port=80":              "serve|--api-key=***|--port=80",
		"serve|--api_key=abc":                        "serve|--api_key=***",
		"serve|-apiKey=abc":                          "serve|-apiKey=***",
		"serve|--hf-token|abc":                       "serve|--hf-token|***",
		"serve|--hub_token=abc":                      "serve|--hub_token=***",
		"serve|--token|abc|model":                    "serve|--token|***|model",
		"serve|--password|a b c":                     "serve|--password|***",
		"serve|--password=a b c; d":                  "serve|--password=***",
		"serve|--passphrase|--quiet":                 "serve|--passphrase|--quiet",
		"serve|--client-secret|s|x":                  "serve|--client-secret|***|x",
		"serve|--api-key|k1|4f9a8b7c6d5e4f3a2b1c|m":  "serve|--api-key|***|***|m",
		"env|HF_TOKEN=abc|AWS_SECRET_ACCESS_KEY=a/b": "env|HF_TOKEN=***|AWS_SECRET_ACCESS_KEY=***",
		"env|OPENAI_API_KEY=|x":                      "env|OPENAI_API_KEY=|x",
		"env|DB_PASSWORD=p=w&d|x":                    "env|DB_PASSWORD=***|x",
		"docker|run|-e|GITHUB_TOKEN=abc|image":       "docker|run|-e|GITHUB_TOKEN=***|image",
		"x|--private-key|MC4CAQAw":                   "x|--private-key|***",
		"x|password:|abc":                            "x|password:|***",
		"launch.py|--gradio-auth|me:abc":             "launch.py|--gradio-auth|me:***",
		"launch.py|--gradio-auth=me:abc":             "launch.py|--gradio-auth=me:***",
		"redis-server|--requirepass|abc":             "redis-server|--requirepass|***",
		"x|--auth-tokens|abc":                        "x|--auth-tokens|***",
		"env|REDISCLI_AUTH=abc|SECRET_KEY_BASE=abc":  "env|REDISCLI_AUTH=***|SECRET_KEY_BASE=***",
		"keytool|-storepass|abc|-keypass|abc":        "keytool|-storepass|***|-keypass|***",
		"x|--dbpassword|abc|--dbpass=abc|--psk=abc":  "x|--dbpassword|***|--dbpass=***|--psk=***",
		"java|-Djavax.net.ssl.keyStorePassword=abc":  "java|-Djavax.net.ssl.keyStorePassword=***",
		"x|--wandb-key|abc|--openrouter-key=abc":     "x|--wandb-key|***|--openrouter-key=***",
		"x|--key|4f9a8b7c6d5e4f3a2b1c|--key=name":    "x|--key|***|--key=name",
		"x|--key=4f9a8b7c6d5e4f3a2b1c":               "x|--key=***",
		"x|--token|-Xk39fj2Kd_|--token|-v":           "x|--token|***|--token|-v",
		"x|--auth|4f9a8b7c6d5e4f3a2b1c":              "x|--auth|***",
		"curl|--proxy-user|me:abc|--proxy-user=m:a":  "curl|--proxy-user|me:***|--proxy-user=m:***",
		"x|--set|db.password=abc,db.user=me":         "x|--set|db.password=***",
	}
	for line, want := range tests {
		if got := strings.Join(proc.MaskSecrets(split(line)), "|"); got != want {
			t.Errorf("MaskSecrets(%s)\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestOrdinaryArgumentsAreNotMasked(t *testing.T) {
	for _, line := range []string{
		"vllm|serve|Qwen/Qwen2.5-72B-Instruct|--max-tokens|4096|--tokenizer|meta-llama/Llama-3|--tokenizer-mode=auto",
		"train.py|--eos-token|</s>|--pad_token=[PAD]|--image-token-index|32000|--max-num-batched-tokens=8192",
		"train.py|--placeholder_token=<cat>|--initializer_token|cat|--add-special-tokens|--num-tokens=5",
		"bench|--time-per-output-token|50|--first-token|1",
		"ffmpeg|--key-frames|250|-pass|2|-passlogfile|/tmp/log",
		"x|--token-file|/run/secrets/token|--password-file=/etc/pw|--secret-name=db|--api-key-file|/k",
		"x|--no-password|host|--ask-pass|host2|--password-stdin|host3",
		"x|--key|/etc/ssl/x.key|--private-key|/etc/ssl/x.key|--public-key=abc|--sort-key=name|--host-key|x",
		"x|--use_auth_token|true|--token=none",
		"python3|-c|import torch; torch.zeros(10)|--author|me|--authority|x",
		"llama-server|-m|/models/DeepSeek-R1-Distill-Qwen-32B-Q4_K_M.gguf|-c|32768|--host|0.0.0.0",
		"java|-Xmx4g|-Dfile.encoding=UTF-8|-jar|/opt/sk-learn-estimator-pipeline-of-a-long-name.jar",
		"postgres|-D|/var/lib/postgresql/16|-c|listen_addresses=*",
		"ssh|-p|2222|git@github.com|git://example.org/x.git",
		"curl|https://example.org:8443/a?page=2&sort=name|-o|x",
		"git|clone|ssh://git@example.org/repo.git|https://user@example.org/x",
		"mysql|-p|shop|-P|3306|-u|root|--protocol|tcp",
		"x|--bypass|on|--multipass=3|--compass|n|--lowpass=300|--pass-through|--nopasswd|x",
		"x|--credentials|/etc/sa.json|GOOGLE_APPLICATION_CREDENTIALS=/home/me/sa.json",
		"x|--token|/var/run/secrets/kubernetes.io/serviceaccount/token|--tls-psk-file=/x",
		"x|--auth|basic|--authentication=ldap|--key|name|--foreign-key|id|--hotkey=F1|--keyboard|us",
		"docker|run|img:tag@sha256:12345abc|npm:pkg@1.0.2|me@host:22|git@github.com:o/r.git|a:b@c",
		"nginx: worker process",
		"AKIA|hf_|sk-|eyJ|ghp_short|-|--|=|:|://|@",
		"hf_transformers_cache_of_the_model",
		"",
	} {
		if got := strings.Join(proc.MaskSecrets(split(line)), "|"); got != line {
			t.Errorf("MaskSecrets(%s)\n got %s\nwant it unchanged", line, got)
		}
	}
}

func TestSecretsInURLsAreMasked(t *testing.T) {
	tests := map[string]string{
		"postgres://app:hunter2@db/x":                                             "postgres://app:***@db/x",
		"redis://:hunter2@cache:6379/0":                                           "redis://:***@cache:6379/0",
		"amqp://u:p%40x@h/v and http://h/":                                        "amqp://u:***@h/v and http://h/",
		"postgres://app:hun/ter@2@db/x":                                           "postgres://app:***@db/x",
		"https://a1b2c3d4e5f6a7b8@github.com/x/y":                                 "https://***@github.com/x/y",
		"--dsn=mysql://u:p@h/x":                                                   "--dsn=mysql://u:***@h/x",
		"https://h/?token=abc&x=1":                                                "https://h/?token=***&x=1",
		"https://h/?x=1&key=abc":                                                  "https://h/?x=1&key=***",
		"https://h/?page=1#access_token=abc":                                      "https://h/?page=1#access_token=***",
		"https://s3/b/k?X-Amz-Expires=9&X-Amz-Signature=ab12":                     "https://s3/b/k?X-Amz-Expires=9&X-Amz-Signature=***",
		"https://b.blob/x?sv=2024&sig=ab%2B":                                      "https://b.blob/x?sv=2024&sig=***",
		"me:hunter2@tcp(db:3306)/x":                                               "me:***@tcp(db:3306)/x",
		"--dsn=me:hunter2@unix(/run/mysql)/x":                                     "--dsn=me:***@unix(/run/mysql)/x",
		"me:hunter2@proxy.example.org:3128":                                       "me:***@proxy.example.org:3128",
		"https://hooks.slack.com/services/T0/B0/a1b2c3d4e5f6a7b8c9d0e1f2":         "https://hooks.slack.com/services/***",
		"https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALD/x": "https://api.telegram.org/bot123456789:***/x",
		"a://b:c@d://e:f@g":                                                       "a://b:***@d://e:***@g",
	}
	for arg, want := range tests {
		if got := proc.MaskSecrets([]string{arg}); !slices.Equal(got, []string{want}) {
			t.Errorf("MaskSecrets(%s)\n got %s\nwant %s", arg, got, want)
		}
	}
}

func TestSecretsInsideOfTextsAreMasked(t *testing.T) {
	tests := map[string]string{
		"sh|-c|curl -H 'Authorization: Bearer abc' http://h/":                                    "sh|-c|curl -H 'Authorization: Bearer ***' http://h/",
		"sh|-c|run --password abc --port 80":                                                     "sh|-c|run --password *** --port 80",
		"sh|-c|export API_TOKEN=abc; run -v":                                                     "sh|-c|export API_TOKEN=***; run -v",
		"sh|-c|run --api-key \"a b\" -v":                                                         "sh|-c|run --api-key \"***\" -v",
		"x|{\"user\": \"me\", \"password\": \"a\", \"n\": 1}":                                    "x|{\"user\": \"me\", \"password\": \"***\", \"n\": 1}",
		"sh|-c|sshpass -p abc ssh -p 22 h":                                                       "sh|-c|sshpass -p *** ssh -p 22 h",
		"sh|-c|cd /x; mysql -u root -p'abc' shop | gzip -p 4":                                    "sh|-c|cd /x; mysql -u root -p*** shop | gzip -p 4",
		"sh|-c|sshpass -p 'a b' ssh h; say it's me":                                              "sh|-c|sshpass -p *** ssh h; say it's me",
		"sh|-c|sh -c \"sshpass -pabc ssh h\"":                                                    "sh|-c|sh -c \"sshpass -p*** ssh h\"",
		"sh|-c|curl -u me:abc http://h/":                                                         "sh|-c|curl -u me:*** http://h/",
		"sh|-c|exec mysqldump -pabc shop":                                                        "sh|-c|exec mysqldump -p*** shop",
		"python3|-c|os.environ[\"API_KEY\"]=\"abc\"; f(token='abc', n=1)":                        "python3|-c|os.environ[\"API_KEY\"]=\"***\"; f(token='***', n=1)",
		`x|{\"password\": \"a\", \"n\": 1}`:                                                      `x|{\"password\": \"***\", \"n\": 1}`,
		"x|host=db user=me password=abc dbname=x":                                                "x|host=db user=me password=*** dbname=x",
		"x|Server=db;Password=abc;Port=1":                                                        "x|Server=db;Password=***;Port=1",
		"curl|-H|Authorization: Bearer abc":                                                      "curl|-H|Authorization: Bearer ***",
		"curl|-H|Authorization: abc":                                                             "curl|-H|Authorization: ***",
		"curl|-H|X-Api-Key: abc":                                                                 "curl|-H|X-Api-Key: ***",
		"curl|-H|Authorization:|Bearer|abc|http://h/":                                            "curl|-H|Authorization:|Bearer|***|http://h/",
		"curl|-H|Authorization: Bearer|abc|http://h/":                                            "curl|-H|Authorization: Bearer|***|http://h/",
		"curl|--header=Authorization: Basic dTpw":                                                "curl|--header=Authorization: Basic ***",
		"curl|-H|Cookie: session=abc; theme=dark":                                                "curl|-H|Cookie: ***",
		"ssh-add|-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n-----END OPENSSH PRIVATE KEY-----": "ssh-add|-----BEGIN OPENSSH PRIVATE KEY-----***-----END OPENSSH PRIVATE KEY-----",
		"ssh-add|-----BEGIN RSA PRIVATE KEY-----\nMIIE":                                          "ssh-add|-----BEGIN RSA PRIVATE KEY-----***",
	}
	for line, want := range tests {
		if got := strings.Join(proc.MaskSecrets(split(line)), "|"); got != want {
			t.Errorf("MaskSecrets(%s)\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestTokensOfKnownFormAreMaskedWhereverTheyStand(t *testing.T) {
	const run = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	for _, prefix := range []string{
		"hf_", "sk-", "sk-proj-", "sk-ant-api03-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xapp-",
		"AKIA", "ASIA", "AIza", "nvapi-", "r8_", "gsk_", "npm_", "pypi-", "dckr_pat_", "hvs.", "tskey-",
	} {
		for _, around := range []string{"%", "x %", "model=%", "(%)", "\"%\"", "--env=%"} {
			text := strings.ReplaceAll(around, "%", prefix+run)
			got := proc.MaskSecrets([]string{text})[0]
			if strings.Contains(got, run) || !strings.Contains(got, "***") {
				t.Errorf("MaskSecrets(%s) = %s, want the token masked", text, got)
			}
		}
	}
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	if got, want := proc.MaskSecrets([]string{"x " + jwt + " y"})[0], "x eyJ*** y"; got != want {
		t.Errorf("MaskSecrets(JWT) = %s, want %s", got, want)
	}
}

func TestMaskingLeavesTheCallersArgumentsAlone(t *testing.T) {
	args := []string{"x", "--password", "abc"}
	proc.MaskSecrets(args)
	if want := []string{"x", "--password", "abc"}; !slices.Equal(args, want) {
		t.Errorf("arguments are now %q, want %q", args, want)
	}
}

func FuzzMaskSecrets(f *testing.F) {
	for _, seed := range []string{
		"serve\x00--api-key\x00abc", "Authorization:\x00Bearer\x00x", "a://b:c@d", "://:@://", "password=\"", "token=\xff\xfe",
		"-----BEGIN ", "-----BEGIN X----------END X-----", "eyJ.eyJ.eyJ", "sk-sk-sk-", "curl\x00-u\x00:", "mysql\x00-p", "--password '", "--token -",
	} {
		f.Add(seed)
	}
	const canary = "CANARYcanary0123456789"
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\x00")
		got := proc.MaskSecrets(args)
		if len(got) != len(args) {
			t.Errorf("MaskSecrets(%q) gave %d arguments, want %d", args, len(got), len(args))
		}
		if again := proc.MaskSecrets(got); len(again) != len(got) {
			t.Errorf("MaskSecrets(%q) gave %d arguments, want %d", got, len(again), len(got))
		}
		// Whatever comes before, a flag's secret does not get through.
		for _, secret := range [][]string{{"--api-key=" + canary}, {"--api-key", canary}, {"HF_TOKEN=" + canary}} {
			masked := proc.MaskSecrets(append(slices.Clone(args), secret...))
			if tail := strings.Join(masked[len(args):], " "); strings.Contains(tail, canary) {
				t.Errorf("MaskSecrets(%q, %q) gave %q", args, secret, tail)
			}
		}
	})
}

package proc

import "strings"

// A tokenForm is how the tokens of one issuer begin, and how long a run of
// letters and digits follows at least.
type tokenForm struct {
	prefix string
	run    int
	digit  bool // the run has a digit: prefixes that also begin ordinary names
}

// tokenForms are the published forms of tokens: those that GitHub's secret
// scanning knows by their beginning.
func tokenForms() []tokenForm {
	return []tokenForm{
		{"hf_", 20, false},                                                                                      // Hugging Face
		{"api_org_", 20, false},                                                                                 // Hugging Face, organisation
		{"sk-", 16, true},                                                                                       // OpenAI, Anthropic, DeepSeek, OpenRouter
		{"sk_live_", 10, false},                                                                                 // Stripe
		{"sk_test_", 10, false},                                                                                 //
		{"rk_live_", 10, false},                                                                                 //
		{"ghp_", 20, false}, {"gho_", 20, false}, {"ghu_", 20, false}, {"ghs_", 20, false}, {"ghr_", 20, false}, // GitHub
		{"github_pat_", 20, false},                                                                                      //
		{"glpat-", 16, false}, {"gldt-", 16, false}, {"glrt-", 16, false}, {"glptt-", 16, false}, {"glcbt-", 16, false}, // GitLab
		{"xoxb-", 10, false}, {"xoxp-", 10, false}, {"xoxa-", 10, false}, {"xoxr-", 10, false}, {"xoxs-", 10, false}, // Slack
		{"xapp-", 10, false},                        //
		{"AKIA", 16, false},                         // AWS, key id
		{"ASIA", 16, false},                         // AWS, temporary key id
		{"AIza", 30, false},                         // Google
		{"ya29.", 20, false},                        // Google, OAuth
		{"GOCSPX-", 20, false},                      // Google, client secret
		{"nvapi-", 20, false},                       // NVIDIA
		{"r8_", 20, false},                          // Replicate
		{"gsk_", 20, false},                         // Groq
		{"xai-", 20, false},                         // xAI
		{"pplx-", 20, false},                        // Perplexity
		{"co_", 30, true},                           // Cohere
		{"npm_", 30, false},                         // npm
		{"pypi-", 20, false},                        // PyPI
		{"dckr_pat_", 20, false},                    // Docker Hub
		{"dop_v1_", 20, false},                      // DigitalOcean
		{"hvs.", 20, false},                         // HashiCorp Vault
		{"hvb.", 20, false},                         //
		{"tskey-", 10, false},                       // Tailscale
		{"shpat_", 20, false},                       // Shopify
		{"lin_api_", 20, false},                     // Linear
		{"SG.", 16, false},                          // SendGrid
		{"wandb_v1_", 20, false},                    // Weights & Biases
		{"hooks.slack.com/services/", 16, false},    // who knows the address may write
		{"discord.com/api/webhooks/", 10, false},    //
		{"discordapp.com/api/webhooks/", 10, false}, //
	}
}

// isTokenChar tells the characters of tokens, beyond which one ends.
func isTokenChar(c byte) bool {
	return isAlnum(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '/' || c == '~'
}

// maskTokens masks whatever has the form of a known token, and keeps its
// beginning.
func maskTokens(text string, forms []tokenForm) string {
	return rewrite(text, func(at int) (keep, end int) {
		if at > 0 && isAlnum(text[at-1]) {
			return 0, 0
		}
		rest := text[at:]
		if end := jwtEnd(rest); end > 0 {
			return len(jwtHead), end
		}
		for _, form := range forms {
			if strings.HasPrefix(rest, form.prefix) {
				if end := form.end(rest); end > 0 {
					return len(form.prefix), end
				}
			}
		}
		return 0, 0
	})
}

// end gives where a token that begins with the prefix ends, 0 when it is none.
func (f tokenForm) end(text string) int {
	end := len(f.prefix)
	run, longest, digit := 0, 0, false
	for ; end < min(len(text), tokenMax) && isTokenChar(text[end]); end++ {
		if !isAlnum(text[end]) {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
		digit = digit || isDigit(text[end])
	}
	if longest < f.run || f.digit && !digit {
		return 0
	}
	for end < len(text) && isTokenChar(text[end]) {
		end++
	}
	return end
}

// tokenMax is within how many bytes a token must show what it is, so that a text
// full of beginnings of tokens is read in linear time.
const tokenMax = 512

// jwtHead begins every JSON Web Token: base64 of `{"` (RFC 7519).
const jwtHead = "eyJ"

// jwtEnd gives where a JSON Web Token ends, 0 when the text does not begin with
// one. A token that was cut after its head is one too.
func jwtEnd(text string) int {
	if !strings.HasPrefix(text, jwtHead) {
		return 0
	}
	end := len(jwtHead)
	for end < len(text) && (isAlnum(text[end]) || strings.IndexByte("_-.=", text[end]) >= 0) {
		end++
	}
	if end < 20 {
		return 0
	}
	return end
}

// randomLength is from how many characters on a word is taken for a secret when
// it follows one and looks random.
const randomLength = 16

// looksRandom tells a word of letters and at least three digits mixed, without
// the signs that paths, addresses and names of models have.
func looksRandom(text string, length int) bool {
	letters, digits := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c):
			digits++
		case isAlpha(c):
			letters++
		default:
			return false
		}
	}
	return len(text) >= length && letters > 0 && digits >= 3
}

// Where a block of PEM begins and ends (RFC 7468).
const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemDash  = "-----"
)

// maskPEM masks the content of PEM blocks, of which a private key is the one
// that matters. A block that was cut is masked to the end.
func maskPEM(text string) string {
	var out strings.Builder
	rest := text
	for {
		begin := strings.Index(rest, pemBegin)
		if begin < 0 {
			break
		}
		head := begin + len(pemBegin)
		if close := strings.Index(rest[head:], pemDash); close >= 0 {
			head += close + len(pemDash)
		}
		out.WriteString(rest[:head])
		out.WriteString(masked)
		end := strings.Index(rest[head:], pemEnd)
		if end < 0 {
			return out.String()
		}
		rest = rest[head+end:]
		// What follows the end marker is read on, from behind its name.
		out.WriteString(pemEnd)
		rest = rest[len(pemEnd):]
	}
	out.WriteString(rest)
	return out.String()
}

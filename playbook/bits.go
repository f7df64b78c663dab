package playbook

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// wellQuantized, in bits per weight: with no more, a model is quantised already,
// and less costs quality (knowledge playbook.md section 1, F1).
const wellQuantized = 5

// The bits per weight of what is proposed (knowledge playbook.md sections 1 and 4).
const (
	bitsQ4KM = 4.89 // of a whole GGUF file
	bitsNF4  = 4.5  // bitsandbytes, without double quantisation
)

// quantizations are the bits per weight that a part of a model's name tells, the
// longest names first (llama.cpp:tools/quantize/README, whole files; the formats
// of packed checkpoints with their scales).
func quantizations() []struct {
	name string
	bits float64
} {
	return []struct {
		name string
		bits float64
	}{
		{"iq2_xxs", 2.38}, {"iq3_xxs", 3.25}, {"iq2_xs", 2.6}, {"iq4_xs", 4.46}, {"iq4_nl", 4.7},
		{"iq1_s", 2.00}, {"iq1_m", 2.15}, {"iq2_s", 2.7}, {"iq2_m", 2.93}, {"iq3_s", 3.66}, {"iq3_m", 3.76},
		{"q2_k", 3.16}, {"q3_k_s", 3.64}, {"q3_k_m", 4.0}, {"q3_k_l", 4.30}, {"q3_k", 4.0},
		{"q4_k_s", 4.67}, {"q4_k_m", bitsQ4KM}, {"q4_k", bitsQ4KM}, {"q5_k_s", 5.57}, {"q5_k_m", 5.70}, {"q5_k", 5.70},
		{"q6_k", 6.56}, {"q8_0", 8.50}, {"q4_0", 4.66}, {"q4_1", 5.1}, {"q5_0", 5.6}, {"q5_1", 6.0},
		{"mxfp4", 4.25}, {"nvfp4", 4.5}, {"w4a16", 4.156}, {"awq", 4.156}, {"gptq", 4.156}, {"bnb-4bit", bitsNF4}, {"nf4", bitsNF4},
		{"q4", bitsQ4KM}, {"q5", 5.70}, {"q6", 6.56}, {"q8", 8.50},
		{"4bit", bitsNF4}, {"int4", 4.156}, {"int8", 8}, {"8bit", 8}, {"w8a8", 8}, {"fp8", 8},
		{"bf16", 16}, {"fp16", 16}, {"f16", 16}, {"fp32", 32}, {"f32", 32},
	}
}

// bits are the bits per weight of the model as its name and the process's options
// tell them; false where they tell nothing.
func (r *refused) bits() (float64, bool) {
	if r.args.has("--load-in-4bit") {
		return bitsNF4, true
	}
	if r.args.has("--load-in-8bit") {
		return 8, true
	}
	how, _ := r.args.value("--quantization", "--quantize", "-q")
	for _, name := range []string{how, r.model()} {
		name = strings.ToLower(name)
		for _, q := range quantizations() {
			if hasWord(name, q.name) {
				return q.bits, true
			}
		}
		if bits, has := statedBits(name); has {
			return bits, true
		}
	}
	// Ollama's own tags without one are Q4_K_M.
	if r.engine() == oomdoc.EngineOllama && strings.Contains(r.model(), ":") && !strings.Contains(r.model(), "/") {
		return bitsQ4KM, true
	}
	return 0, false
}

// hasWord tells a name that has a part of its own, not the middle of a word. A
// part may go on after an underscore ("awq_marlin").
func hasWord(name, word string) bool {
	for at := 0; at < len(name); {
		i := strings.Index(name[at:], word)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(word)
		if (begin == 0 || !isAlphanumeric(name[begin-1])) && (end == len(name) || !isAlphanumeric(name[end])) {
			return true
		}
		at = end
	}
	return false
}

func isAlphanumeric(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// statedBits reads "4.0bpw", as ExLlama's models are named.
func statedBits(name string) (float64, bool) {
	number, _, found := strings.Cut(name, "bpw")
	if !found {
		return 0, false
	}
	start := len(number)
	for start > 0 && (number[start-1] >= '0' && number[start-1] <= '9' || number[start-1] == '.') {
		start--
	}
	bits, err := strconv.ParseFloat(number[start:], 64)
	return bits, err == nil && bits > 0 && bits <= 32
}

const (
	keyQuantizeWhy oomdoc.Key = "fix.quantize.why-bits"
	keyFewerBits   oomdoc.Key = "fix.quantize.why-less"
)

// reckonQuantize is what 4 bits would save of the weights. A model that has no
// more is quantised already.
func reckonQuantize(r *refused) reckoning {
	bits, known := r.bits()
	if known && bits <= wellQuantized || !known && r.e.Has(oomdoc.ClueCode, oomdoc.CodeQuantizes) {
		return reckoning{unfit: true}
	}
	if !known {
		return reckoning{}
	}
	to := bitsNF4
	if r.isGGML() {
		to = bitsQ4KM
	}
	done := reckoning{why: oomdoc.Say(keyFewerBits, oomdoc.Args{
		"bits": oomdoc.Count(int64(bits + 0.5)), "share": oomdoc.Percent(float64(int64(100 * (1 - to/bits)))),
	})}
	if weights := r.weights(); weights > 0 {
		saves := scaled(weights, 1-to/bits)
		done.saves, done.enough = &saves, r.enough(&saves)
		done.why = oomdoc.Say(keyQuantizeWhy, oomdoc.Args{
			"bits": oomdoc.Count(int64(bits + 0.5)), "size": oomdoc.Bytes(weights), "left": oomdoc.Bytes(weights - saves),
		})
	}
	return done
}

// reckonHalf is half of the weights, where they are known and of 32 bits. What
// has no more than 16 bits cannot be halved so.
func reckonHalf(r *refused) reckoning {
	if bits, known := r.bits(); known && bits <= 16 {
		return reckoning{unfit: true}
	}
	if weights := r.weights(); weights > 0 && fullPrecision(r) {
		saves := weights / 2
		return reckoning{saves: &saves, enough: r.enough(&saves)}
	}
	return reckoning{}
}

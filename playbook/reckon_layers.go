package playbook

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyLayersWhy  oomdoc.Key = "fix.offload.why-layers"
	keyExpertsWhy oomdoc.Key = "fix.offload-experts.why-layers"
	keyLayersHalf oomdoc.Key = "fix.offload.why-first-try"
	keyFitWhy     oomdoc.Key = "fix.let-it-fit.why-layers"
)

// reckonLayers gives how many layers may stay on the GPU: as many as fit, where
// the room is known, else half. What leaves the GPU must have room in RAM.
func reckonLayers(r *refused) reckoning {
	c := r.e.Clue(oomdoc.ClueLayers)
	weights := r.weights()
	if c == nil || c.N == nil || *c.N <= 0 || *c.N > maxLayers || weights == 0 {
		return reckoning{}
	}
	layers := *c.N
	each := weights / layers
	if r.atKVCache() {
		each = saturating(weights, r.kvCache()) / layers // a layer takes its cache along
	}
	if each == 0 {
		return reckoning{}
	}
	keep, key := layers/2, keyLayersHalf
	if missing := r.missing(); missing != nil {
		move := int64(math.Ceil(float64(saturating(*missing, share(*missing, spare))) / float64(each)))
		keep, key = max(0, layers-move), keyLayersWhy
	}
	saves := (layers - keep) * each
	if ram := r.facts.RAMBytes; ram > 0 && saves > share(ram, ramShare) {
		return reckoning{unfit: true}
	}
	return reckoning{
		value: strconv.FormatInt(keep, 10), saves: &saves, enough: r.enough(&saves),
		why: oomdoc.Say(key, oomdoc.Args{
			"layers": oomdoc.Count(layers), "keep": oomdoc.Count(keep), "each": oomdoc.Bytes(each),
		}),
	}
}

const (
	// maxLayers bounds what a log may claim.
	maxLayers = 10000
	// ramShare, in percent of RAM: what may move there (knowledge playbook.md
	// section 3, row Z).
	ramShare = 80
)

// mixtures are parts of the names of models with experts. "30b-a3b" is read by its
// form.
func mixtures() []string {
	return []string{"moe", "mixtral", "8x7b", "8x22b", "gpt-oss", "deepseek-v2", "deepseek-v3", "deepseek-r1", "qwen3-next", "glm-4.5", "kimi-k2"}
}

// isMoE tells a mixture of experts by its model's name.
func isMoE(r *refused) bool {
	name := strings.ToLower(r.model())
	if slices.ContainsFunc(mixtures(), func(part string) bool { return hasWord(name, part) }) {
		return !strings.Contains(name, "distill")
	}
	for _, part := range strings.FieldsFunc(name, func(c rune) bool { return c == '-' || c == '_' || c == '.' || c == '/' || c == ':' }) {
		digits, is := strings.CutPrefix(part, "a")
		digits, billions := strings.CutSuffix(digits, "b")
		if _, err := strconv.ParseUint(digits, 10, 16); is && billions && err == nil {
			return true // active parameters: a3b
		}
	}
	return false
}

// expertShare, in percent of a layer: what its experts are of it (knowledge
// playbook.md section 1, F3).
const expertShare = 90

// reckonExperts is for models that have experts, or whose name is not known: of how
// many layers the experts must go to RAM. Those that are there already stay.
func reckonExperts(r *refused) reckoning {
	if r.model() != "" && !isMoE(r) {
		return reckoning{unfit: true}
	}
	c, missing := r.e.Clue(oomdoc.ClueLayers), r.missing()
	weights := r.weights()
	if c == nil || c.N == nil || *c.N <= 0 || *c.N > maxLayers || weights < *c.N || missing == nil {
		return reckoning{}
	}
	each := share(weights / *c.N, expertShare)
	if each == 0 {
		return reckoning{}
	}
	var typed int64
	for _, s := range settingsOf(r.kin(), offloadMoE) {
		if n, has := r.args.number(s.names...); has {
			typed = min(n, maxLayers)
		}
	}
	move := min(int64(math.Ceil(float64(saturating(*missing, share(*missing, spare)))/float64(each))), *c.N)
	saves := move * each
	if ram := r.facts.RAMBytes; ram > 0 && saves > share(ram, ramShare) {
		return reckoning{unfit: true}
	}
	return reckoning{
		value: strconv.FormatInt(typed+move, 10), saves: &saves, enough: r.enough(&saves),
		why: oomdoc.Say(keyExpertsWhy, oomdoc.Args{"n": oomdoc.Count(move), "layers": oomdoc.Count(*c.N), "each": oomdoc.Bytes(each)}),
	}
}

// overruledBy tells that one of some options is the one that the plan says kept it
// from fitting: it names them by the fields of its parameters.
func (r *refused) overruledBy(names []string) bool {
	c := r.e.Clue(oomdoc.CluePlanOverruled)
	if c == nil {
		return false
	}
	option := "--" + strings.ReplaceAll(c.Name, "_", "-")
	if strings.Contains(c.Name, "tensor_buft") {
		option = "--override-tensor"
	}
	return slices.Contains(names, option)
}

// reckonFit is for a setting of the user's that kept the engine from fitting the
// model itself (llama.cpp#19437).
func reckonFit(r *refused) reckoning {
	need, free := r.e.Clue(oomdoc.CluePlanNeed), r.e.Clue(oomdoc.CluePlanFree)
	c := r.e.Clue(oomdoc.CluePlanOverruled)
	if c == nil || c.N == nil || need == nil || free == nil || need.Bytes == nil || free.Bytes == nil {
		return reckoning{}
	}
	return reckoning{
		value: strconv.FormatInt(*c.N, 10),
		why: oomdoc.Say(keyFitWhy, oomdoc.Args{
			"n": oomdoc.Count(*c.N), "need": oomdoc.Bytes(*need.Bytes), "free": oomdoc.Bytes(*free.Bytes),
		}),
	}
}

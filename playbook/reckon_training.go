package playbook

import (
	"slices"
	"strings"
)

// isOn tells an option that the process's command line has switched on.
func (r *refused) isOn(names ...string) bool {
	_, value, found := r.args.find(names...)
	return found && !slices.Contains([]string{"false", "0", "no", "off", "none"}, strings.ToLower(value))
}

// unlessOn is for a measure that the process has taken already.
func (r *refused) unlessOn(names ...string) reckoning { return reckoning{unfit: r.isOn(names...)} }

func reckonCheckpoint(r *refused) reckoning { return r.unlessOn("--gradient-checkpointing") }

func reckonAdapters(r *refused) reckoning {
	return r.unlessOn("--use-peft", "--use-lora", "--lora-r", "--lora-rank", "--lora-alpha", "--load-in-4bit", "--qlora")
}

func reckonOptimizer(r *refused) reckoning {
	optimizer, _ := r.args.value("--optim", "--optimizer")
	return reckoning{unfit: strings.Contains(optimizer, "8bit") || strings.Contains(optimizer, "adafactor") || r.isOn("--use-8bit-adam")}
}

package playbook

import "github.com/oomdoc/oomdoc"

// A measure is one way to need less, or to have more, of the pool that refused.
type measure string

// The measures.
const (
	endOthers      measure = "end-others"
	spreadRanks    measure = "spread-ranks"
	findCap        measure = "find-cap"
	letItFit       measure = "let-it-fit"
	raiseShare     measure = "raise-share"
	lowerShare     measure = "lower-share"
	raiseCap       measure = "raise-cap"
	growAsNeeded   measure = "grow-as-needed"
	unloadModels   measure = "unload-models"
	restart        measure = "restart"
	loadOneByOne   measure = "load-one-by-one"
	quantize       measure = "quantize"
	smallOptimize  measure = "small-optimizer"
	adapters       measure = "adapters"
	halve          measure = "halve"
	offload        measure = "offload"
	offloadMoE     measure = "offload-experts"
	splitGPUs      measure = "split-gpus"
	shortenContext measure = "shorten-context"
	smallerKV      measure = "smaller-kv"
	fewerSlots     measure = "fewer-slots"
	slidingWindow  measure = "sliding-window"
	chunkedLoss    measure = "chunked-loss"
	capLength      measure = "cap-length"
	wslMemory      measure = "wsl-memory"
	smallerBatch   measure = "smaller-batch"
	microBatch     measure = "micro-batch"
	checkpoint     measure = "checkpoint"
	smallerPrefill measure = "smaller-prefill"
	fewerSequences measure = "fewer-sequences"
	noGraphs       measure = "no-graphs"
	moreHeadroom   measure = "more-headroom"
	tile           measure = "tile"
	attention      measure = "attention"
	pieces         measure = "pieces"
	checkShape     measure = "check-shape"
	joinSegments   measure = "join-segments"
	inferenceMode  measure = "inference-mode"
	growHeap       measure = "grow-heap"
	addressSpace   measure = "address-space"
	growShm        measure = "grow-shm"
	fewerWorkers   measure = "fewer-workers"
	pinLess        measure = "pin-less"
	mapFile        measure = "map-file"
	dropCache      measure = "drop-cache"
	moreRAM        measure = "more-ram"
	findKiller     measure = "find-killer"
	downsize       measure = "downsize"
)

// A treatment is what a measure is: its fix, why it helps and what it costs, what
// it would save here, and steps that are not settings of an engine.
type treatment struct {
	number int
	title  oomdoc.Key
	why    oomdoc.Key
	reckon func(*refused) reckoning
	steps  func(*refused, reckoning) []oomdoc.Sentence
}

// A reckoning is what a measure comes to with an incident's own numbers.
type reckoning struct {
	value  string // for {n} of a setting; "" takes its first try
	saves  *int64
	enough *bool
	why    oomdoc.Sentence // with numbers, in place of the treatment's
	unfit  bool            // the numbers speak against it
	change *change         // of an option that the process's own script has
}

// A change is an option of a script's own, whose name no table knows.
type change struct{ old, new string }

func (t treatment) reason(r reckoning) oomdoc.Sentence {
	if !r.why.IsZero() {
		return r.why
	}
	return oomdoc.Say(t.why, nil)
}

// treatments are all measures.
func treatments() map[measure]treatment {
	return map[measure]treatment{
		endOthers:    {numberReclaim, "fix.end-others", "fix.end-others.why", reckonOthers, othersSteps},
		spreadRanks:  {numberReclaim, "fix.spread-ranks", "fix.spread-ranks.why", nil, ranksSteps},
		findCap:      {numberReclaim, "fix.find-cap", "fix.find-cap.why", nil, capSteps},
		letItFit:     {numberReclaim, "fix.let-it-fit", "fix.let-it-fit.why", reckonFit, nil},
		raiseShare:   {numberReclaim, "fix.raise-share", "fix.raise-share.why", reckonRaise, nil},
		lowerShare:   {numberReclaim, "fix.lower-share", "fix.lower-share.why", reckonLower, nil},
		raiseCap:     {numberReclaim, "fix.raise-cap", "fix.raise-cap.why", reckonCap, nil},
		growAsNeeded: {numberReclaim, "fix.grow-as-needed", "fix.grow-as-needed.why", nil, nil},
		unloadModels: {numberReclaim, "fix.unload-models", "fix.unload-models.why", nil, nil},
		restart:      {numberReclaim, "fix.restart", "fix.restart.why", nil, restartSteps},
		loadOneByOne: {numberReclaim, "fix.load-one-by-one", "fix.load-one-by-one.why", nil, nil},

		quantize:      {numberQuantize, "fix.quantize", "fix.quantize.why", reckonQuantize, nil},
		smallOptimize: {numberQuantize, "fix.small-optimizer", "fix.small-optimizer.why", reckonOptimizer, nil},
		adapters:      {numberQuantize, "fix.adapters", "fix.adapters.why", reckonAdapters, nil},
		halve:         {numberHalf, "fix.halve", "fix.halve.why", reckonHalf, nil},
		offload:       {numberOffload, "fix.offload", "fix.offload.why", reckonLayers, nil},
		offloadMoE:    {numberOffload, "fix.offload-experts", "fix.offload-experts.why", reckonExperts, nil},
		splitGPUs:     {numberOffload, "fix.split-gpus", "fix.split-gpus.why", nil, nil},

		shortenContext: {numberKVCache, "fix.shorten-context", "fix.shorten-context.why", reckonContext, nil},
		smallerKV:      {numberKVCache, "fix.smaller-kv", "fix.smaller-kv.why", reckonKV, nil},
		fewerSlots:     {numberKVCache, "fix.fewer-slots", "fix.fewer-slots.why", reckonSlots, nil},
		slidingWindow:  {numberKVCache, "fix.sliding-window", "fix.sliding-window.why", nil, nil},

		smallerBatch:   {numberBatch, "fix.smaller-batch", "fix.smaller-batch.why", reckonBatch, nil},
		microBatch:     {numberBatch, "fix.micro-batch", "fix.micro-batch.why", reckonBatch, nil},
		checkpoint:     {numberBatch, "fix.checkpoint", "fix.checkpoint.why", reckonCheckpoint, nil},
		chunkedLoss:    {numberBatch, "fix.chunked-loss", "fix.chunked-loss.why", nil, nil},
		capLength:      {numberBatch, "fix.cap-length", "fix.cap-length.why", nil, nil},
		smallerPrefill: {numberBatch, "fix.smaller-prefill", "fix.smaller-prefill.why", reckonPrefill, nil},
		fewerSequences: {numberBatch, "fix.fewer-sequences", "fix.fewer-sequences.why", reckonSequences, nil},
		noGraphs:       {numberBatch, "fix.no-graphs", "fix.no-graphs.why", nil, nil},
		moreHeadroom:   {numberReclaim, "fix.more-headroom", "fix.more-headroom.why", nil, nil},
		tile:           {numberBatch, "fix.tile", "fix.tile.why", nil, nil},
		attention:      {numberBatch, "fix.attention", "fix.attention.why", nil, nil},
		pieces:         {numberBatch, "fix.pieces", "fix.pieces.why", nil, nil},
		checkShape:     {numberBatch, "fix.check-shape", "fix.check-shape.why", reckonShape, shapeSteps},

		joinSegments:  {numberAllocator, "fix.join-segments", "fix.join-segments.why", reckonSegments, nil},
		inferenceMode: {numberInference, "fix.inference-mode", "fix.inference-mode.why", nil, nil},

		growHeap:     {numberHost, "fix.grow-heap", "fix.grow-heap.why", reckonHeap, nil},
		addressSpace: {numberHost, "fix.address-space", "fix.address-space.why", nil, addressSteps},
		growShm:      {numberHost, "fix.grow-shm", "fix.grow-shm.why", nil, shmSteps},
		fewerWorkers: {numberHost, "fix.fewer-workers", "fix.fewer-workers.why", nil, nil},
		pinLess:      {numberHost, "fix.pin-less", "fix.pin-less.why", nil, nil},
		mapFile:      {numberHost, "fix.map-file", "fix.map-file.why", reckonMap, nil},
		dropCache:    {numberHost, "fix.drop-cache", "fix.drop-cache.why", nil, cacheSteps},
		moreRAM:      {numberHost, "fix.more-ram", "fix.more-ram.why", reckonRAM, ramSteps},
		wslMemory:    {numberHost, "fix.wsl-memory", "fix.wsl-memory.why", nil, wslSteps},
		findKiller:   {numberHost, "fix.find-killer", "fix.find-killer.why", nil, killerSteps},
		downsize:     {numberDownsize, "fix.downsize", "fix.downsize.why", reckonSize, sizeSteps},
	}
}

package applog

// handled reads that a program caught the error and goes on with less: its
// failure was none for the user, who has it slower.
func handled() []mark {
	goesOn := func(s *scene, sp *span) { s.recovered(sp, false) }
	found := func(s *scene, sp *span) { s.recovered(sp, true) }
	return []mark{
		{"Decreasing batch size to", goesOn}, // accelerate, find_executable_batch_size
		{"OOM at batch ", goesOn},
		{"educing batch size to", goesOn},
		{"etrying with batch size", goesOn},
		{"etrying with smaller batch", goesOn},
		{"kipping batch", goesOn},                                           // fairseq, OpenNMT
		{"attempting to recover from OOM in forward/backward pass", goesOn}, // fairseq
		{"failed, trying batch size ", found},                               // Lightning's BatchSizeFinder
		{"Finished batch size finder, will continue with full run", found},
	}
}

package applog

// handled reads that a program caught the error and goes on with less: its
// failure was none for the user, who has it slower.
func handled() []mark {
	goesOn := func(s *scene, sp *span) { s.recovered(sp, false) }
	return []mark{
		{"Decreasing batch size to", goesOn}, // accelerate, find_executable_batch_size
		{"OOM at batch ", goesOn},
		{"educing batch size to", goesOn},
		{"etrying with batch size", goesOn},
		{"etrying with smaller batch", goesOn},
	}
}

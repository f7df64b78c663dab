package record

// FormTexts is for tests.
func FormTexts() []string { return formTexts() }

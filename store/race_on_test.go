//go:build race

package store_test

// raceDetector multiplies memory, so that ceilings do not hold under it.
const raceDetector = true

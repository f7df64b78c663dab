// Package gpu samples how much memory the GPUs have left and who holds it, and
// keeps the last minutes of it, because a refused allocation leaves no trace in
// the driver's counters: what was known must have been seen before.
//
// NVIDIA's library can hang, crash, vanish under a running process, or lack a
// symbol, so it lives in a worker, a child process of our own binary (package
// gpu/nvml). This package starts it, bounds it and reads what it writes.
package gpu

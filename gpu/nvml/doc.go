// Package nvml is the worker that asks NVIDIA's management library. It runs in a
// process of its own: a missing symbol ends the process, a hanging call can't be
// taken back. It writes gpu.Message lines and ends when its input does.
package nvml

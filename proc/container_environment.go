package proc

import (
	"fmt"
	"io"
	"strings"
)

// DockerEnvironment reads from config.v2.json (see DockerNames) what Variables
// names of the environment that a container was made with.
func DockerEnvironment(from io.Reader) ([]string, error) {
	var config struct{ Config struct{ Env []string } }
	if err := decodeOne(from, &config); err != nil {
		return nil, fmt.Errorf("read docker's container: %w", err)
	}
	return KeptVariables(config.Config.Env), nil
}

// OCIEnvironment reads the same from the config.json of a bundle (OCI runtime
// specification, config.md, "Process").
func OCIEnvironment(from io.Reader) ([]string, error) {
	var config struct {
		Process struct {
			Env []string `json:"env"`
		} `json:"process"`
	}
	if err := decodeOne(from, &config); err != nil {
		return nil, fmt.Errorf("read container's bundle: %w", err)
	}
	return KeptVariables(config.Process.Env), nil
}

// KeptVariables picks what Variables names from NAME=VALUE, as Environment does.
func KeptVariables(assignments []string) []string {
	return Environment([]byte(strings.Join(assignments, "\x00")))
}

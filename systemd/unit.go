package systemd

import (
	"context"
	"fmt"

	"github.com/coreos/go-systemd/v22/dbus"
)

// UnitEnvironment gives the variables that Environment= of a service of the system
// manager sets (org.freedesktop.systemd1(5)), NAME=VALUE. Any user may ask for
// those; what EnvironmentFile= and PAM add is not among them.
func UnitEnvironment(ctx context.Context, service string) ([]string, error) {
	connection, err := dbus.NewSystemConnectionContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to the system bus: %w", err)
	}
	defer connection.Close()
	property, err := connection.GetUnitTypePropertyContext(ctx, service, "Service", "Environment")
	if err != nil {
		return nil, fmt.Errorf("ask for the environment of %q: %w", service, err)
	}
	variables, _ := property.Value.Value().([]string)
	return variables, nil
}
